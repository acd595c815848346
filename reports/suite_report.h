// What a run of the suite says about one program.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "validator/report.h"

namespace hepcheck::suite {

using Json = nlohmann::ordered_json;

// A failure that is expected: clause, the file or step it shows in (a glob; all if empty), why.
struct KnownFailure {
  std::string clause{}, where{}, reason{};
  bool met = false;  // some finding matched it, or none could
};

// The reason of a clause that the user did not select; the text report only counts such clauses.
inline constexpr const char* kNotSelected = "skipped by --only";

// What a reader made of one file.
struct FileOutcome {
  enum class Kind : std::uint8_t {
    kRight,      // it returned what the file has
    kUnjudged,   // the same as far as the suite knows what that is
    kPart,       // the same, and refused the rest
    kRefused,    // it refused the file
    kWrong,      // it returned something else, without a word
    kCrash,      // it ended
    kHang,       // it did not answer in time
    kTooMuch,    // it exceeded its memory or storage
    kMalformed,  // its answer is not one
    kNotAsked,
  };
  std::string file{}, clause{};
  bool sound = false;  // the file
  Kind kind = Kind::kNotAsked;
  std::string detail{};  // what is wrong, or the message
};
std::string_view to_string(FileOutcome::Kind kind);

struct SuiteReport {
  std::string role{};     // "reader", "writer"
  std::string program{};  // its name, as it gave it
  Json about{};           // its hello
  const Specification* spec = nullptr;
  // The results of every clause of the role, in the order of the specification; then, for writers,
  // the clauses that a file can break, as far as some file was judged by them.
  std::vector<ClauseResult> clauses{};
  std::vector<FileOutcome> outcomes{};  // if files are judged one by one
  std::vector<KnownFailure> known{};
  // The datatypes that it declares, if some table of the corpus has others: it is judged for these.
  std::vector<std::string> scope{};
  bool partial = false;  // over some files only: that a known failure is not met says nothing
  std::uint64_t files = 0, requests = 0;
  std::vector<std::string> notes{};
};

// Marks what is known; `excused` says whether a clause fails only in known places.
void apply_known(SuiteReport& report);
bool excused(const SuiteReport& report, const ClauseResult& result);

// 0 all as expected, 1 a failure that is not known or a known one that did not occur.
int exit_status(const SuiteReport& report);

// How a report is written: any format of reports/, of which text, json and markdown are special to
// what programs are judged by.
struct Writing {
  std::string form = "text";
  std::string hepcheck{}, date{};  // the version of this program, and when it ran
  bool verbose = false;            // text: also clauses that passed or do not apply
};
void write(std::ostream& out, const SuiteReport& report, const Writing& how);
Json to_json(const SuiteReport& report);
// Writes a report in one of the formats that are not special.
void write_as_files(std::ostream& out, Report report, const Writing& how);

// The same for the writers of reports/.
Report as_report(const SuiteReport& report);

// What they take for a file is a program, for a table its role. A clause that fails only where that
// is known was not checked, with the reason.
struct KnownResult {
  ClauseResult result{};
  std::string known{};  // why, if all of it is
};
FileReport as_report(const Specification& spec, std::string program, const std::string& role,
                     std::vector<KnownResult> clauses, std::vector<std::string> notes = {});

}  // namespace hepcheck::suite
