// Converts text from files to text that is safe to display. Every format uses this one
// representation.
#pragma once

#include <string>
#include <string_view>

namespace hepcheck::reports {

// The text as valid UTF-8 that can be put into any line: control characters, characters that
// change how their neighbours are shown, and bytes that are no UTF-8 come out as \n, \r, \t,
// \xNN (a byte) or \u{NNNN} (a character); a backslash is doubled. So does whatever a CI log
// would take for a command: a colon at the start, "##". Nothing is lost.
std::string escaped(std::string_view text);

// The inverse: unescaped(escaped(x)) == x. Text that escaped() cannot have produced is unchanged.
std::string unescaped(std::string_view text);

// escaped(), and the characters that have a meaning in XML and HTML are replaced.
std::string escaped_xml(std::string_view text);

// A path as a URI: relative to the working directory, or file://... if it is absolute.
std::string as_uri(std::string_view path);

// Escaped text for a cell of a Markdown table, in which a pipe would end the cell.
std::string table_cell(std::string text);

// The beginning of a text that is longer than so many bytes, never a part of a UTF-8 character.
std::string brief(std::string_view text, std::size_t most);

}  // namespace hepcheck::reports
