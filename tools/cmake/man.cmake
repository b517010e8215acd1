# The man pages, out of what the program says of itself, and the completions of shells. Trees of sanitizers and
# the like have test programs alone.
if(NOT TARGET lagnet OR LAGNET_SANITIZE OR LAGNET_COVERAGE OR LAGNET_FUZZ)
  return()
endif()
set(beside ${PROJECT_BINARY_DIR}/beside)
set(man_scripts pages roff.py scenario_page.py)
list(TRANSFORM man_scripts PREPEND ${PROJECT_SOURCE_DIR}/tools/man/)

find_program(LAGNET_HELP2MAN help2man)
if(LAGNET_HELP2MAN)
  add_custom_command(OUTPUT ${beside}/man.made
                     COMMAND ${PROJECT_SOURCE_DIR}/tools/man/pages --lagnet $<TARGET_FILE:lagnet> --out ${beside}/man
                     COMMAND ${CMAKE_COMMAND} -E touch ${beside}/man.made
                     DEPENDS lagnet ${man_scripts} COMMENT "Writing the man pages" VERBATIM)
  add_custom_target(man ALL DEPENDS ${beside}/man.made)
else()
  message(STATUS "The man pages are left out: they need help2man")
endif()

set(completions_script ${PROJECT_SOURCE_DIR}/tools/man/completions)
add_custom_command(OUTPUT ${beside}/completions.made
                   COMMAND ${completions_script} $<TARGET_FILE:lagnet> ${beside}/completions
                   COMMAND ${CMAKE_COMMAND} -E touch ${beside}/completions.made
                   DEPENDS lagnet ${completions_script} COMMENT "Writing the completions of shells" VERBATIM)
add_custom_target(completions ALL DEPENDS ${beside}/completions.made)

# Both are there only where their targets were built.
install(DIRECTORY ${beside}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(DIRECTORY ${beside}/completions/ DESTINATION ${CMAKE_INSTALL_DATADIR} OPTIONAL)
