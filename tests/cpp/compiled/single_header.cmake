# The library as one header: a program of two files that both include it compiles, links, and runs without the folder.
# Called as: cmake -DSOURCE=checkout -DCOMPILER=c++ -DWORK=empty-folder -P single_header.cmake
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -DTO=${WORK}/one/cuckoo.h -P ${SOURCE}/cpp/cmake/single_header.cmake
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the header was not made")
endif()
file(WRITE ${WORK}/made.cpp "#include \"cuckoo.h\"
cuckoo::Result<cuckoo::Filter> made() { return cuckoo::Filter::create(1000, 0.001); }
")
file(WRITE ${WORK}/main.cpp "#include \"cuckoo.h\"
cuckoo::Result<cuckoo::Filter> made();
int main() {
  auto filter = made();
  if (!filter || filter->insert(7) != cuckoo::InsertOutcome::inserted) return 1;
  const auto loaded = cuckoo::load(cuckoo::save(*filter));
  return loaded && loaded->contains(7) && *loaded == *filter ? 0 : 1;
}
")
execute_process(COMMAND ${COMPILER} -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I${WORK}/one
                        ${WORK}/made.cpp ${WORK}/main.cpp -o ${WORK}/program
                RESULT_VARIABLE result ERROR_VARIABLE error)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${error}")
endif()
execute_process(COMMAND ${WORK}/program RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the program ended with ${result}")
endif()
