// Limits on the texts of a report. A file may contain a name or a value of any length; a quoted
// text states the full length and is truncated.
#pragma once

#include <cstddef>
#include <string>

namespace hepcheck {

struct Error;
struct FileReport;
struct Finding;
struct SubjectReport;

// Bytes of the longest text of a report, including the statement of its length.
inline constexpr std::size_t kLongestText = 2000;

// A longer text keeps its beginning and ends in "... (40000000 bytes)".
void shorten(std::string& text);
// The same for identifying texts. Two different names stay different: a longer one ends in "...
// (40000000 bytes, 00c4f38b9a3d2e71)".
void shorten_name(std::string& name);

void shorten(Finding& finding);
void shorten(Error& error);
// Everything except its clauses, whose texts a Probe has shortened.
void shorten(SubjectReport& report);
// Everything except its path, which the user chose, and its subjects.
void shorten(FileReport& report);

}  // namespace hepcheck
