# linkgistic_embed(target file name): makes the text of `file` available to C++ as
# `extern const std::string_view linkgistic::embedded::name`.
function(linkgistic_embed target file name)
  get_filename_component(path ${file} ABSOLUTE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"// Generated from @file@.
#include <string_view>
namespace linkgistic::embedded {
extern const std::string_view @name@;
const std::string_view @name@ = R\"~~~(@text@)~~~\";
}  // namespace linkgistic::embedded
")
  target_sources(${target} PRIVATE ${out})
endfunction()
