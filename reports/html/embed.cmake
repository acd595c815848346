# Build step: converts the parts of the HTML report to C++ constants, with the hashes by which its
# Content-Security-Policy permits the style sheet and the script.
#
#   cmake -Dfolder=... -Dout=FILE.cpp -P embed.cmake
set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

# Base64 of the bytes in `hex`: three bytes become four characters.
function(base64 hex out)
  string(LENGTH "${hex}" digits)
  math(EXPR padding "(3 - ${digits} / 2 % 3) % 3")
  string(REPEAT "00" ${padding} zeros)
  string(REGEX MATCHALL "......" triples "${hex}${zeros}")
  set(text "")
  foreach(triple IN LISTS triples)
    foreach(shift 18 12 6 0)
      math(EXPR at "(0x${triple} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${at} 1 letter)
      string(APPEND text "${letter}")
    endforeach()
  endforeach()
  string(LENGTH "${text}" length)
  math(EXPR length "${length} - ${padding}")
  string(SUBSTRING "${text}" 0 ${length} text)
  string(REPEAT "=" ${padding} equals)
  set(${out} "${text}${equals}" PARENT_SCOPE)
endfunction()

set(code "// Made from reports/html by embed.cmake; do not edit.\n#include \"reports/html_parts.h\"\n\n"
         "namespace hepcheck::reports {\n")
# A name, and the files that it consists of. Both pages share what shows blocks.
foreach(part "ReportPage report.html" "ReportStyle report.css blocks.css" "ReportScript blocks.js report.js"
             "BytesPage bytes.html" "BytesScript blocks.js bytes.js")
  separate_arguments(part)
  list(POP_FRONT part name)
  set(text "")
  foreach(file IN LISTS part)
    file(READ "${folder}/${file}" more)
    string(APPEND text "${more}")
  endforeach()
  string(HEX "${text}" bytes)
  string(SHA256 hash "${text}")
  base64("${hash}" hash)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  list(APPEND code
    "static const char k${name}Bytes[] = {${bytes}}\;\n"
    "const std::string_view k${name}(k${name}Bytes, sizeof k${name}Bytes)\;\n"
    "const std::string_view k${name}Hash = \"${hash}\"\;\n")
endforeach()
list(APPEND code "}  // namespace hepcheck::reports\n")
list(JOIN code "" code)
file(WRITE "${out}" "${code}")
