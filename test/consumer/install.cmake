# Installs the library into a folder and moves that to PREFIX: the archive of the build tree BUILD or, where TYPE is
# shared, a shared library that is built in SHARED_BUILD.
set(before_move ${PREFIX}.before_move)
file(REMOVE_RECURSE ${PREFIX} ${before_move})
if(TYPE STREQUAL "shared")
  set(BUILD ${SHARED_BUILD})
  # Not optimised: it takes half the time, and no function is missing because it was inlined everywhere.
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${HONE} -B ${BUILD} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=None
    -DBUILD_SHARED_LIBS=ON -DHONE_BUILD_PROGRAMS=OFF -DHONE_WARNINGS_AS_ERRORS=ON
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${before_move} COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${before_move} ${PREFIX})
