# Runs PROGRAM with ARGUMENTS on the lines of INPUT and fails unless it exits with code 0 after exactly the lines of
# EXPECTED.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} INPUT_FILE ${INPUT} RESULT_VARIABLE code OUTPUT_VARIABLE output
  ERROR_VARIABLE error)
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0 OR NOT error STREQUAL "" OR NOT output STREQUAL expected)
  message(FATAL_ERROR "exit code ${code}\n${error}${output}")
endif()
