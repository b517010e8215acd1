# lagnet_layer(NAME [DEPENDS library...]): the library lagnet_NAME from every source below the current folder.
# Its headers are seen through a folder that holds this layer alone, so that including a header of a layer that is
# not in DEPENDS does not build.
function(lagnet_layer name)
  cmake_parse_arguments(LAYER "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(view ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${view}/${name} SYMBOLIC)

  add_library(lagnet_${name} ${sources})
  add_library(lagnet::${name} ALIAS lagnet_${name})
  set_target_properties(lagnet_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(lagnet_${name} PUBLIC
    $<BUILD_INTERFACE:${view}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lagnet>)
  target_link_libraries(lagnet_${name} PUBLIC ${LAYER_DEPENDS})
  target_compile_features(lagnet_${name} PUBLIC cxx_std_20)
  # Contracting a*b+c would make results depend on the instruction set, against the determinism contract.
  target_compile_options(lagnet_${name} PUBLIC -ffp-contract=off)
  lagnet_strict(lagnet_${name})

  install(TARGETS lagnet_${name} EXPORT lagnetTargets)
  # One by one: install(DIRECTORY) makes every folder below, also those without headers.
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lagnet/${folder})
  endforeach()
endfunction()

# g++ takes up to a quarter less time when it does not look for garbage in its memory. It then needs 1 to 4.3 GB, else a
# quarter less.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
if(memory_mib GREATER 7000)
  set(LAGNET_RARE_COLLECTIONS $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=3000000>)
endif()

# What computes little beside a run, or nothing (LEVEL -Og): -O1 takes two thirds of -O3's time to compile, and gives
# the same bits. Of a function in a header, a program may take the copy from here. The more sources are one piece
# (batch), the fewer headers and templates are compiled anew, and the more memory one compiler needs.
function(lagnet_cold target level batch)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# Warnings, and the build kinds chosen on the command line.
function(lagnet_strict target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                         -Wold-style-cast -Wcast-qual -Wformat=2 -Wno-missing-field-initializers)
  if(LAGNET_WARNINGS_AS_ERRORS AND NOT LAGNET_SANITIZE)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # The same bytes from sources in any folder: what programs know of their files begins at the tree. Debuggers want to
  # find these files, so that debug builds keep whole names. Of two that fit, the compiler takes the later one.
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>
                         $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/>)
  if(CMAKE_UNITY_BUILD)
    # Frames of coroutines hold types of unnamed namespaces, at which g++ 12 takes offense in files that are included.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  # In joined strings g++ 12 sees overlaps that are none (its bug 105651), and in moved or temporary objects, under
  # sanitizers and at -O1 more often, values that are not set though they are, even in the standard library.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # clang warns of offsetof in a class with a base, which it supports as g++ does.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-invalid-offsetof>)
  target_compile_options(${target} PRIVATE ${LAGNET_RARE_COLLECTIONS})
  if(LAGNET_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${LAGNET_SANITIZE} -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
    # Checks of every pointer before its use double the time to compile and find what the address sanitizer finds too.
    target_compile_options(${target} PUBLIC -fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
    # Boost.Asio has fences, of which g++ says that the thread sanitizer does not follow them.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
    target_compile_definitions(${target} PUBLIC LAGNET_SANITIZED)
    target_link_options(${target} PUBLIC -fsanitize=${LAGNET_SANITIZE})
  endif()
  if(LAGNET_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# For what reads files of others: a frame or a buffer that is overrun ends the program, and the tables of the dynamic
# linker cannot be written to. Not for the engine and the algorithms, which read none, and whose instructions it would
# raise by up to 1.3 % (ring_hops of bench_instructions).
function(lagnet_hardened target)
  if(LAGNET_SANITIZE OR LAGNET_COVERAGE)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  target_link_options(${target} PUBLIC -Wl,-z,relro,-z,now)
endfunction()
