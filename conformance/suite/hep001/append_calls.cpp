#include "conformance/suite/hep001/append_calls.h"

#include <algorithm>
#include <cstdlib>
#include <format>

namespace hepcheck::hep001::suite {

namespace {

bool is_commit(const LibraryCall& call) {
  return call.words(0).starts_with("attribute-") && call.words(1) == "NROWS";
}

// The table's objects, by their paths.
class Objects {
 public:
  explicit Objects(const TableContent& table)
      : group_((table.path == "/" ? "" : table.path) + "/"), indexes_(group_ + "SEARCH_INDEXES/") {
    for (const ColumnContent& column : table.columns) columns_.push_back(group_ + column.name);
  }

  bool extends_column(const LibraryCall& call) const {
    return call.is("extent") && is_column(call.rest(2));
  }
  bool writes_rows(const LibraryCall& call) const {
    return call.is("data-write") && is_column(call.rest(3));
  }
  bool changes_index(const LibraryCall& call) const {
    return call.what.find(indexes_) != std::string::npos || call.words(1) == "SEARCH_INDEX_LIST";
  }

 private:
  bool is_column(const std::string& path) const { return std::ranges::contains(columns_, path); }

  std::string group_, indexes_;
  std::vector<std::string> columns_{};
};

}  // namespace

bool AppendCalls::writes_nrows(std::size_t i) const { return is_commit(all[i]); }

std::string AppendCalls::place(std::size_t i) const {
  return std::format("call {} of {}: {}", i + 1, all.size(), all[i].what);
}

std::optional<AppendCalls> append_calls(const std::vector<LibraryCall>& calls,
                                        const TableContent& before) {
  const auto commit = std::ranges::find_if(calls, is_commit);
  if (commit == calls.end()) return std::nullopt;
  AppendCalls made{.all = calls, .commit = static_cast<std::size_t>(commit - calls.begin())};
  const Objects objects(before);
  bool unflushed = false;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const LibraryCall& call = calls[i];
    const bool late = i > made.commit;
    const auto note = [&](std::optional<std::size_t>& first) {
      if (late && !first) first = i;
    };
    if (call.is("flush") || call.is("close")) {
      (late ? made.flushed_after : made.flushed_before) = true;
      unflushed = unflushed && late;
      continue;
    }
    if (call.is("swmr")) {
      made.swmr = true;
    } else if (objects.extends_column(call)) {
      note(made.late_extent);
    } else if (objects.writes_rows(call)) {
      const std::uint64_t from = std::strtoull(call.words(1).c_str(), nullptr, 10);
      made.first_row = std::min(made.first_row.value_or(from), from);
      unflushed = true;
      note(made.late_rows);
    } else if (objects.changes_index(call)) {
      unflushed = true;
      note(made.late_index);
    }
    note(made.late);
  }
  made.flushed_before = made.flushed_before && !unflushed;
  return made;
}

}  // namespace hepcheck::hep001::suite
