# Installs the library into an empty prefix, builds the user of it beside this file, and runs what it built; then the same
# with the library's folder added to the user's project. A header of xxHash that does not compile stands first on the
# include path, so the library must not need one. At last, a later version, which may have other calls, must not be taken
# for the one that the user asks for.
# Called as: cmake -DSOURCE=checkout -DBUILD=build-folder -DWORK=empty-folder -P run.cmake
function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/poison/xxhash.h "#error The library must not need xxhash.h\n")
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
set(found -DCMAKE_PREFIX_PATH=${WORK}/prefix)
set(added -DSOURCE=${SOURCE})
foreach(way found added)
  step(${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${WORK}/${way} -G Ninja ${${way}}
       -DEXAMPLES=${SOURCE}/cpp/examples -DCMAKE_CXX_FLAGS=-I${WORK}/poison)
  step(${CMAKE_COMMAND} --build ${WORK}/${way})
  step(${WORK}/${way}/basic)
  step(${WORK}/${way}/own_hash)
endforeach()

file(GLOB_RECURSE version_file ${WORK}/prefix/cuckoo_filter-config-version.cmake)
file(READ ${version_file} version)
string(REPLACE 0.1 0.9 version "${version}")
file(WRITE ${version_file} "${version}")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${WORK}/later -G Ninja ${found}
                        -DEXAMPLES=${SOURCE}/cpp/examples
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "version: 0\\.9")
  message(FATAL_ERROR "0.9 was taken for 0.1\n${output}")
endif()
