// The protocol of a repair, for people and for programs.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "validator/repair/repair.h"
#include "validator/report.h"

namespace hepcheck::reports {

// The values of one part of a subject in the original and in the copy.
struct ValueProof {
  ValueDigest before{}, after{};
  bool unchanged() const { return !after.sha256.empty() && before.sha256 == after.sha256; }
};

struct RepairProtocol {
  std::string hepcheck{};  // version of this program
  std::string from{}, to{};
  bool dry_run = false;
  std::vector<RepairedSubject> subjects{};
  std::vector<ValueProof> values{};
  std::string reader{};               // what read the values
  FileReport verdict{};               // of the copy, examined again
  std::vector<std::string> unused{};  // options without an effect
  bool identical = false;             // the copy has the same bytes as the original

  std::uint64_t changes() const, left() const;
  // Every value was read and is the same.
  bool values_unchanged() const;
};

void write_repair_text(std::ostream& out, const RepairProtocol& protocol);
void write_repair_json(std::ostream& out, const RepairProtocol& protocol);
void write_repair_html(std::ostream& out, const RepairProtocol& protocol);
// The changes as a program in h5py, or in C.
void write_repair_python(std::ostream& out, const RepairProtocol& protocol);
void write_repair_c(std::ostream& out, const RepairProtocol& protocol);

}  // namespace hepcheck::reports
