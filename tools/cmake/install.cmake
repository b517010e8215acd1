# What `cmake --install` puts in place beside the libraries and headers of the layers: the package files that
# find_package(lagnet) reads, the program, and the scenarios with their data.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lagnet)
set(LAGNET_DATA_FOLDER ${CMAKE_INSTALL_DATADIR}/lagnet)

configure_package_config_file(${PROJECT_SOURCE_DIR}/tools/cmake/lagnetConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/lagnetConfig.cmake
                              INSTALL_DESTINATION ${package_folder} PATH_VARS LAGNET_DATA_FOLDER)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lagnetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lagnetConfig.cmake ${PROJECT_BINARY_DIR}/lagnetConfigVersion.cmake
        DESTINATION ${package_folder})
install(EXPORT lagnetTargets NAMESPACE lagnet:: DESTINATION ${package_folder})

if(TARGET lagnet)
  install(TARGETS lagnet)
endif()
# Scenario files name their data relative to themselves, so both keep their places.
install(DIRECTORY scenarios/examples scenarios/league scenarios/papers scenarios/golden
        DESTINATION ${LAGNET_DATA_FOLDER}/scenarios
        PATTERN "*.py" EXCLUDE)
install(DIRECTORY scenarios/data/sets scenarios/data/latency DESTINATION ${LAGNET_DATA_FOLDER}/scenarios/data)
install(FILES tools/man/lagnet.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
include(tools/cmake/man.cmake)
# The same for the Python package, in its folder: for a build backend, which installs this component alone.
if(TARGET lagnet)
  install(TARGETS lagnet RUNTIME DESTINATION lagnet/bin COMPONENT python EXCLUDE_FROM_ALL)
endif()
if(TARGET lagnet_core)
  install(TARGETS lagnet_core LIBRARY DESTINATION lagnet COMPONENT python EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY scenarios/examples scenarios/league scenarios/papers DESTINATION lagnet/share/scenarios
        COMPONENT python EXCLUDE_FROM_ALL PATTERN "*.py" EXCLUDE)
install(DIRECTORY scenarios/data/sets scenarios/data/latency DESTINATION lagnet/share/scenarios/data COMPONENT python
        EXCLUDE_FROM_ALL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
