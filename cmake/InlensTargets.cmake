# The one place where compiler flags live, and the two verbs that every room uses:
#   inlens_library(<room> SOURCES … [DEPS …])       a static, position-independent, hidden library
#   inlens_test(<name> LABEL <label> SOURCES … [DEPS …] [TIMEOUT s])   a Catch2 program, run by CTest

add_library(inlens_flags INTERFACE)
target_compile_features(inlens_flags INTERFACE cxx_std_20 c_std_99)
target_compile_options(inlens_flags INTERFACE
  -Wall -Wextra -Wshadow -Wvla -fvisibility=hidden -fno-omit-frame-pointer -fno-plt
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden -Wnon-virtual-dtor>
  $<$<BOOL:${INLENS_WERROR}>:-Werror>)
target_include_directories(inlens_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/agent/include)
if(INLENS_SANITIZE)
  # GCC 12 sees uninitialised members in the standard library when it instruments it.
  target_compile_options(inlens_flags INTERFACE -fsanitize=${INLENS_SANITIZE} -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(INLENS_SANITIZE STREQUAL thread)
    # The work queue uses fences, which the thread sanitizer does not follow; the compiler says so.
    target_compile_options(inlens_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  target_link_options(inlens_flags INTERFACE -fsanitize=${INLENS_SANITIZE})
endif()
if(INLENS_FUZZ)
  target_compile_options(inlens_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined)
  target_link_options(inlens_flags INTERFACE -fsanitize=address,undefined)
endif()

function(inlens_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF C_EXTENSIONS OFF)
  target_link_libraries(${name} PUBLIC inlens_flags ${ARG_DEPS})
endfunction()

function(inlens_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE inlens_flags inlens_catch_main ${ARG_DEPS})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABEL STREQUAL unit AND INLENS_SANITIZE MATCHES undefined)
    # The libraries under test are checked for it; the test's own JSON and Catch2 code would take twice as long.
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
  if(INLENS_SANITIZE STREQUAL thread)
    set_tests_properties(${name} PROPERTIES
      ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp:die_after_fork=0")
  endif()
endfunction()
