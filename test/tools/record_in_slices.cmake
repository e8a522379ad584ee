# Measures a small space in two slices, the first of them once more after its last line was cut short, and merges them.
set(folder ${CMAKE_CURRENT_BINARY_DIR}/record_in_slices)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
set(space --device Portable --problem 64x48x3 --samples 3 --lock ${folder}/lock
  --restrict TBX=8:16,TBY=8,LOCAL=0,WPTX=1,WPTY=1:2,UNROLL_FACTOR=1)

function(record expected)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
  string(FIND "${output}" "${expected}" position)
  if(NOT code EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "exit code ${code}, expected '${expected}':\n${error}${output}")
  endif()
endfunction()

record("2 rows, 0 failed" ${space} --slice 0/2 --out ${folder}/0.csv)
record("2 rows, 0 failed" ${space} --slice 1/2 --out ${folder}/1.csv)
file(READ ${folder}/0.csv table)
string(LENGTH "${table}" length)
math(EXPR cut "${length} - 2")
string(SUBSTRING "${table}" 0 ${cut} table)
file(WRITE ${folder}/0.csv "${table}")
record("2 rows, 0 failed" ${space} --slice 0/2 --out ${folder}/0.csv)
record("4 rows" --merge ${folder}/0.csv --merge ${folder}/1.csv --out ${folder}/all.csv.gz)
