# Runs PROGRAM (heat) with the checkpoint FILE: to its end, to a later end, to the same end again, and for another grid;
# with pictures in the folder FILE.frames.
file(REMOVE ${FILE})
file(REMOVE_RECURSE ${FILE}.frames)
function(run launches pattern)
  execute_process(COMMAND ${PROGRAM} --device Portable --problem 64x48 --levels 3 --launches ${launches} --tuning off
      --check --checkpoint ${FILE} ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT code EQUAL 0 OR NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "exit code ${code}, expected ${pattern}\n${error}${output}")
  endif()
endfunction()
# 8, 4 and 2 sections of 12 steps.
run(14 "32x24 +96 .*45x34 +48 .*64x48 +24 .*steps +168\n" --frames ${FILE}.frames)
file(GLOB pictures RELATIVE ${FILE}.frames ${FILE}.frames/*)
list(LENGTH pictures count)
list(GET pictures 0 first)
list(GET pictures -1 last)
if(NOT count EQUAL 14 OR NOT first STREQUAL "step_0000000000_level_1.png" OR
   NOT last STREQUAL "step_0000000168_level_3.png")
  message(FATAL_ERROR "pictures: ${pictures}")
endif()
file(REMOVE_RECURSE ${FILE}.frames)
run(28 "64x48 +24 .*launches +2, .*steps +192\n")           # of 4 sections on the last grid, 2 are left
run(28 "has come to its end, after 192 steps")
execute_process(COMMAND ${PROGRAM} --device Portable --problem 64x49 --levels 3 --launches 14 --checkpoint ${FILE}
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT code EQUAL 2 OR NOT error MATCHES "is of 64x48 with 3 levels, and not of 64x49 with 3 levels\n$")
  message(FATAL_ERROR "exit code ${code}\n${error}${output}")
endif()
file(REMOVE ${FILE})
