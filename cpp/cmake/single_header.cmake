# Writes the whole library as one header, for projects that would rather copy a file than a folder.
# Called as: cmake -DTO=folder/cuckoo.h -P cpp/cmake/single_header.cmake
cmake_minimum_required(VERSION 3.21)

set(include ${CMAKE_CURRENT_LIST_DIR}/../include)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../LICENSE license)
string(REGEX REPLACE "\n$" "" license "${license}")
string(REPLACE "\n" "\n// " license "// ${license}")
string(REPLACE "// \n" "//\n" license "${license}")
file(WRITE ${TO} "${license}\n//\n// Made by cpp/cmake/single_header.cmake from the headers in cpp/include: change those.\n#pragma once\n")

file(STRINGS ${include}/cuckoo/cuckoo.h lines REGEX "^#include \"")
foreach(line ${lines})
  string(REGEX REPLACE "#include \"([^\"]*)\"" "\\1" name "${line}")
  file(READ ${include}/${name} text)
  # Those before it are written already.
  string(REGEX REPLACE "#include \"cuckoo/[^\n]*\n" "" text "${text}")
  string(REPLACE "#pragma once\n" "" text "${text}")
  string(REPLACE "// SPDX-License-Identifier: MIT\n" "" text "${text}")
  file(APPEND ${TO} "\n// ${name}\n\n${text}")
endforeach()
