# Installs lagnet from BINARY_DIR below BINARY_DIR, then configures, builds and runs the consumer against it with the
# compiler CXX, as another project would.
set(prefix ${BINARY_DIR}/consumer/prefix)
set(build ${BINARY_DIR}/consumer/build)
file(REMOVE_RECURSE ${BINARY_DIR}/consumer)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${build} -G Ninja -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${build})
run(${build}/consumer)

# The installed program finds the papers that came with it, from any folder.
execute_process(COMMAND ${prefix}/bin/lagnet reproduce WORKING_DIRECTORY ${prefix} OUTPUT_VARIABLE papers
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT papers MATCHES "ancelin2021/figure1")
  message(FATAL_ERROR "expected ancelin2021/figure1 among the papers, found ${papers}")
endif()
