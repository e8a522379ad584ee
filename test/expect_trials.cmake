# Runs PROGRAM with ARGUMENTS and --json JSON, and fails unless it succeeds after TRIALS trials, none of which failed.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} --json ${JSON}
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}\n${error}${output}")
endif()
file(READ ${JSON} figures)
string(JSON trials GET "${figures}" trials)
string(JSON failed GET "${figures}" failed)
if(NOT trials EQUAL TRIALS OR NOT failed EQUAL 0)
  message(FATAL_ERROR "${trials} trials, ${failed} failed\n${error}${output}")
endif()
