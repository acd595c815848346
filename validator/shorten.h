// Bounds on the texts of a report. A file may hold a name or a value of any length; whatever quotes
// it says how long it was, and no more.
#pragma once

#include <cstddef>
#include <string>

namespace hepcheck {

struct Error;
struct FileReport;
struct Finding;
struct SubjectReport;

// Bytes of the longest text of a report, with what is said of its length.
inline constexpr std::size_t kLongestText = 2000;

// What is longer keeps its beginning and ends in "... (40000000 bytes)".
void shorten(std::string& text);
// The same for what something is known by. Two names that differ do so afterwards: a longer one
// ends in "... (40000000 bytes, 00c4f38b9a3d2e71)".
void shorten_name(std::string& name);

void shorten(Finding& finding);
void shorten(Error& error);
// All but its clauses, whose texts a Probe has shortened.
void shorten(SubjectReport& report);
// All but its path, which the user chose, and its subjects.
void shorten(FileReport& report);

}  // namespace hepcheck
