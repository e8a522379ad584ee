# Runs PROGRAM with ARGUMENTS and fails unless it exits with code 2 after one line on standard error that contains LINE.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
string(REGEX MATCHALL "\n" ends "${error}")
list(LENGTH ends lines)
string(FIND "${error}" "${LINE}" position)
if(NOT code EQUAL 2 OR NOT lines EQUAL 1 OR position EQUAL -1)
  message(FATAL_ERROR "exit code ${code}, ${lines} lines:\n${error}${output}")
endif()
