# Runs PROGRAM with ARGUMENTS under OCLGRIND, which emulates a device, and fails unless it succeeds and the emulator has
# nothing to report in LOG: accesses beyond a buffer, races, reads of what was never written.
# The local memory is what common GPUs have; the emulator's own is less.
file(REMOVE ${LOG})
execute_process(COMMAND ${OCLGRIND} --local-mem-size 49152 --data-races --uninitialized --log ${LOG}
    ${PROGRAM} ${ARGUMENTS}
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
set(reports "")
if(EXISTS ${LOG})
  file(READ ${LOG} reports LIMIT 4000)
endif()
if(NOT code EQUAL 0 OR NOT reports STREQUAL "")
  message(FATAL_ERROR "exit code ${code}\n${reports}\n${error}\n${output}")
endif()
message(STATUS "${output}")
