# Installs the library into an empty prefix, builds the user of it beside this file, and runs what it built.
# Called as: cmake -DSOURCE=checkout -DBUILD=build-folder -DWORK=empty-folder -P run.cmake
function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

file(REMOVE_RECURSE ${WORK})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
     -DEXAMPLE=${SOURCE}/cpp/examples/basic.cpp)
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/basic)
