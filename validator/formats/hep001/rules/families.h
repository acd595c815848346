// Requirements on index families that chapters 10.4 to 10.7 state in the same words.
#pragma once

#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/rules/attributes.h"
#include "validator/formats/hep001/rules/data.h"

namespace hepcheck::hep001 {

// Reports a difference of an index's contents: `unit` is "chunk", "element", "row".
inline void report(const Difference& difference, const std::string& path, const char* unit,
                   const char* hint, Probe& probe, bool warning = false) {
  probe.looked();
  if (difference.count == 0) return;
  Finding finding{.object = path,
                  .where = std::format("{} {}", unit, difference.first),
                  .observed = difference.stored,
                  .expected = difference.computed,
                  .hint = hint,
                  .witness = difference.witness,
                  .more = difference.count - 1};
  if (warning)
    probe.warn(std::move(finding));
  else
    probe.fail(std::move(finding));
}

// The specification gives floats other than those of IEEE 754 of 16, 32 and 64 bits no order, and
// so no index over them: that is a warning. Counts and tails of such an index are no more than
// that.
inline bool is_beyond_the_list(const auto& index) {
  return index.column && is_other_float(index.column->data->type);
}

constexpr const char* kRebuild = "Rebuild the index from the column.";

// The classes that 10.4 and 10.5 exclude by name; 10.6 does not.
inline bool is_excluded_class(const Datatype& type) {
  return type.is(TypeClass::kReference) || type.is(TypeClass::kCompound) ||
         type.is(TypeClass::kArray) || type.is(TypeClass::kVlen);
}

// The contents of the index are valid: its lengths and values, as far as they depend on the rows of
// the table. The contents of a stale index are never a defect.
template <class Index>
bool counts(const Index& index, Probe& probe) {
  const IndexGate& gate = index.index.gate;
  if (gate.state == IndexGate::State::kUnknown) probe.blocked(gate.text());
  return gate.open();
}

template <class Index>
void orderable_type(const Table&, const Index& index, Probe& probe) {
  if (!index.column) return;  // index-referenced, *-one-column
  const Datatype& type = index.column->data->type;
  if (is_excluded_class(type)) return;  // *-excluded-type
  probe.looked();
  if (has_order(type)) return;
  Finding finding{.object = index.path(),
                  .observed = "an index over " + index.column->name() + ", " + describe(type),
                  .expected = "a column whose datatype has a defined order",
                  .hint = "Delete the index."};
  if (is_other_float(type))
    probe.warn(std::move(finding));
  else
    probe.fail(std::move(finding));
}

template <class Index>
void excluded_type(const Table&, const Index& index, Probe& probe) {
  if (!index.column) return;
  const Datatype& type = index.column->data->type;
  probe.looked();
  if (is_excluded_class(type))
    probe.fail({.object = index.path(),
                .observed = "an index over " + index.column->name() + ", " + describe(type),
                .expected = "no such index over references, compounds, arrays and sequences",
                .hint = "Delete the index."});
}

template <class Index>
void one_column(const Table& table, const Index& index, Probe& probe) {
  if (index.index.columns.empty()) return;  // index-referenced
  probe.looked();
  if (index.index.columns.size() == 1) return;
  std::vector<std::string> names;
  for (const std::size_t c : index.index.columns) names.push_back(table.columns[c].name());
  probe.fail({.object = index.path(),
              .observed = "listed by " + enumerate(names),
              .expected = "exactly one column",
              .hint = "Build a separate index for each column."});
}

// The rank of an index, and the clause that requires it.
struct Rank {
  std::size_t rank;
  ClauseId clause;
};
constexpr Rank rank_of(IndexKind family) {
  switch (family) {
    case IndexKind::kChunkMinmax: return {1, "minmax-rank-1"};
    case IndexKind::kSortedRows: return {1, "sorted-rank-1"};
    case IndexKind::kBitmap: return {2, "bitmap-rank-2"};
    default: return {2, "bloom-rank-2"};
  }
}

// Its extent has the meaning of the chapter; if the rank differs, that clause has the finding.
template <class Index>
bool of_right_rank(const Index& index, Probe& probe) {
  constexpr Rank kWanted = rank_of(Index::kKind);
  if (index.data().space.rank() == kWanted.rank) return true;
  probe.blocked("another rank", by({kWanted.clause}));
  return false;
}

template <class Index>
void has_rank(const Table&, const Index& index, Probe& probe) {
  probe.looked();
  const Dataspace& space = index.data().space;
  constexpr std::size_t kRank = rank_of(Index::kKind).rank;
  if (space.kind == Dataspace::Kind::kSimple && space.rank() == kRank) return;
  probe.fail({.object = index.path(),
              .observed = describe(space),
              .expected = std::format("a dataset of rank {}", kRank),
              .hint = kRebuild});
}

// The index has as many entries as there are chunks with logical rows; additional entries are
// residue.
template <class Index>
void length_over_chunked(const Table& table, const Index& index, Probe& probe) {
  if (!index.column || !table.nrows || !counts(index, probe)) return;
  const Dataset& column = *index.column->data;
  if (column.storage.layout != StorageLayout::kChunked) return;
  if (!of_right_rank(index, probe)) return;
  probe.looked();
  const std::uint64_t needed = data_bearing_chunks(table, column);
  if (index.data().space.extent[0] < needed)
    probe.fail({.object = index.path(),
                .observed = std::format("{} entries", index.data().space.extent[0]),
                .expected = std::format("{} entries, one per chunk with rows below NROWS", needed),
                .hint = kRebuild,
                .witness = std::format("row {} lies in chunk {}, which has no entry",
                                       index.data().space.extent[0] * chunk_rows(column),
                                       index.data().space.extent[0])});
}

template <class Index>
void length_over_contiguous(const Table& table, const Index& index, Probe& probe) {
  if (!index.column || !table.nrows || !counts(index, probe)) return;
  const Dataset& column = *index.column->data;
  if (column.storage.layout == StorageLayout::kChunked || *table.nrows == 0) return;
  if (!of_right_rank(index, probe)) return;
  probe.looked();
  if (index.data().space.extent[0] != 1)
    probe.fail({.object = index.path(),
                .observed = std::format("{} entries", index.data().space.extent[0]),
                .expected = "1 entry for a column that is not chunked",
                .hint = kRebuild,
                .witness = index.data().space.extent[0] == 0
                               ? "row 0 lies in the only chunk, which has no entry"
                               : "none: the first entry describes all rows"});
}

template <class Index>
void elements_are_uint8(const Table&, const Index& index, Probe& probe) {
  probe.looked();
  if (!is_unsigned_integer(index.data().type, 1))
    probe.fail({.object = index.path(),
                .observed = describe(index.data().type),
                .expected = "uint8",
                .hint = kRebuild});
}

}  // namespace hepcheck::hep001
