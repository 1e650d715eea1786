# Readers of a filter in many threads, under ThreadSanitizer, which no other test may be built with.
# Called as: cmake -DSOURCE=checkout -DCOMPILER=c++ -DWORK=empty-folder -P readers.cmake
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${COMPILER} -std=c++20 -O1 -g1 -fsanitize=thread -pthread -I${SOURCE}/cpp/include
                        ${SOURCE}/tests/cpp/concurrent/readers.cpp -o ${WORK}/readers COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/readers COMMAND_ERROR_IS_FATAL ANY)
