# Threads that read and change one shared filter, under ThreadSanitizer, which no other test may be built with.
# Called as: cmake -DSOURCE=checkout -DCOMPILER=c++ -DWORK=empty-folder -P threads.cmake
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${COMPILER} -std=c++20 -O1 -g1 -fsanitize=thread -pthread -I${SOURCE}/cpp/include
                        ${SOURCE}/tests/soak/hammer.cpp -o ${WORK}/hammer COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/hammer 2 11 COMMAND_ERROR_IS_FATAL ANY)
