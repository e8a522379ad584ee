# hone_embed_kernel(target file symbol): makes the text of an OpenCL file part of the target, so that the program runs
# without it. The target's sources include "<file without .cl>_source.h" and use hone::apps::<symbol>.
# Run as a script (-DIN= -DOUT= -DSYMBOL=), it writes that header.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${IN}" text)
  file(WRITE "${OUT}" "#pragma once\n\nnamespace hone::apps {\n\n"
    "inline constexpr char ${SYMBOL}[] = R\"embedded(${text})embedded\";\n\n}  // namespace hone::apps\n")
  return()
endif()

set(HONE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(hone_embed_kernel target file symbol)
  get_filename_component(name ${file} NAME_WE)
  set(in ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}_source.h)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DIN=${in} -DOUT=${out} -DSYMBOL=${symbol} -P ${HONE_EMBED_SCRIPT}
    DEPENDS ${in} ${HONE_EMBED_SCRIPT}
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
