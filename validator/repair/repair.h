// What a repair changed in a copy of a file, and what it left: the same for all formats.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/result.h"

namespace hepcheck {

// A change that was made because of a clause.
struct RepairChange {
  std::string clause{};             // its id
  std::string object{};             // the path in the file
  std::string attribute{};          // of that object, if the change is about one
  std::string act{};                // what was done, as a sentence
  std::string from{}, to{};         // before and after; either may be empty
  std::vector<std::string> code{};  // the change as lines of h5py code
  std::vector<std::string> c{};     // and as lines of C

  friend bool operator==(const RepairChange&, const RepairChange&) = default;
};

// A violation that remains.
struct RepairLeft {
  std::string clause{}, object{}, attribute{}, where{};
  std::string observed{}, expected{};
  std::string why{};                   // why it was not repaired
  std::vector<std::string> options{};  // what to pass to repair it: "--fill x=VALUE"

  friend bool operator==(const RepairLeft&, const RepairLeft&) = default;
};

// One subject of the file: a table, or the container.
struct RepairedSubject {
  std::string kind{}, path{}, spec{};
  std::vector<RepairChange> changes{};
  std::vector<RepairLeft> left{};
  std::vector<std::string> notes{};

  friend bool operator==(const RepairedSubject&, const RepairedSubject&) = default;
};

// The logical values of one column, or of another part of a subject with values of its own.
struct ValueDigest {
  std::string subject{}, path{};
  std::uint64_t values = 0;
  std::string sha256{};   // in hexadecimal; empty if they cannot be read
  std::string trouble{};  // why not

  friend bool operator==(const ValueDigest&, const ValueDigest&) = default;
};

// The decisions that a user made, each by the place that it is about.
class RepairDecisions {
 public:
  enum class Kind : std::uint8_t { kFill, kRange, kRename, kSet, kDrop };
  static std::string_view option_of(Kind kind);  // "--fill"

  // "x=-1", "x=0:100", "old=new", "/t@VERSION=1.0", "/t/link". An error states what is expected.
  std::optional<std::string> add(Kind kind, const std::string& text);

  // The value that was given for a place; it is then used.
  std::optional<std::string> find(Kind kind, const std::string& place) const;
  // The options that no violation needed, as they were given.
  std::vector<std::string> unused() const;
  bool empty() const { return all_.empty(); }

 private:
  struct Given {
    std::string value{}, text{};
    mutable bool used = false;
  };
  std::map<std::pair<Kind, std::string>, Given> all_{};
};

// The names of a clause in `only`, as in catalogue/selection.h; empty selects all.
bool is_selected(const std::set<std::string, std::less<>>& only, const Clause& clause);

// A message between a worker and its parent. The parent does not trust it: what is decoded is
// bounded by the size of the message.
std::string encoded(const std::vector<RepairedSubject>& subjects,
                    const std::vector<std::string>& unused);
struct RepairMessage {
  std::vector<RepairedSubject> subjects{};
  std::vector<std::string> unused{};
};
Result<RepairMessage> decoded_repairs(std::string_view message);

std::string encoded(const std::vector<ValueDigest>& digests);
Result<std::vector<ValueDigest>> decoded_digests(std::string_view message);

}  // namespace hepcheck
