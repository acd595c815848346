// A rule: the executable form of one clause.
//
// The signature of a check is its quantifier: a check over (Table) runs once, over
// (Table, Column) for every column, and so on; the judge loops, checks do not. A check sees
// only the model, or facts derived from the data; it has no state and makes no output but
// through its Probe. It states one clause: where its precondition is the subject of another
// clause it returns, naming that clause in a comment, so that one defect gives one finding.
// A check over (Table) can look at any part of the table, so its row says at which: `Sees`.
//
//   void extent_ge_nrows(const Table& table, const Column& column, Probe& probe) {
//     if (!table.nrows) return;                                            // nrows-present
//     probe.looked();
//     if (*column.data->extent() < *table.nrows)
//       probe.fail({.object = column.path(), .observed = ..., .expected = ..., .hint = ...});
//   }
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "validator/formats/hep001/clause_ids.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/probe.h"

namespace hepcheck::hep001 {

// A search index of one family, with the only column that lists it; `column` is null if none does
// (index-referenced) or several do (*-one-column).
template <IndexKind kFamily>
struct FamilyIndex {
  static constexpr IndexKind kKind = kFamily;
  const SearchIndex& index;
  const Column* column;

  const Dataset& data() const { return *index.data; }
  const std::string& path() const { return index.data->path; }
};
using MinmaxIndex = FamilyIndex<IndexKind::kChunkMinmax>;
using SortedIndex = FamilyIndex<IndexKind::kSortedRows>;
using BitmapIndex = FamilyIndex<IndexKind::kBitmap>;
using BloomIndex = FamilyIndex<IndexKind::kChunkBloom>;

// A column of either kind (8.2): a dataset, or the group of a list column.
struct AnyColumn {
  const std::string& name;
  const std::string& path;
  const Attributes& attributes;
  const std::optional<std::string>& attributes_unreadable;

  const Attribute* attribute(std::string_view wanted) const {
    const auto it = attributes.find(wanted);
    return it == attributes.end() ? nullptr : &it->second;
  }
};

// The object that stores the values of a column: its dataset, or the innermost one of a list column
// (9.3).
struct ValueSet {
  const Dataset& data;
  bool leaf = false;

  const std::string& path() const { return data.path; }
};

// A column that is a dataset, with the search indexes that list it.
struct IndexedColumn {
  const Table& table;
  const Column& column;

  bool has_index(IndexKind kind) const {
    const auto here = static_cast<std::size_t>(&column - table.columns.data());
    return std::ranges::any_of(table.indexes, [&](const SearchIndex& index) {
      return index.kind == kind && std::ranges::contains(index.columns, here);
    });
  }
};

// Facts: the results of one pass over the data (derive/facts.h).
struct ColumnFacts;
struct CategoriesFacts;
struct ListFacts;
struct MinmaxFacts;
struct SortedFacts;
struct BitmapFacts;
struct BloomFacts;

using Check = std::variant<
    // Structure: only the model.
    void (*)(const Table&, Probe&),                        //
    void (*)(const Table&, const Column&, Probe&),         //
    void (*)(const Table&, const AnyColumn&, Probe&),      //
    void (*)(const Table&, const IndexedColumn&, Probe&),  //
    void (*)(const Table&, const ValueSet&, Probe&),       //
    void (*)(const Table&, const ListColumn&, Probe&),     //
    void (*)(const Table&, const Categories&, Probe&),     //
    void (*)(const Table&, const SearchIndex&, Probe&),    // of any KIND
    void (*)(const Table&, const MinmaxIndex&, Probe&),    //
    void (*)(const Table&, const SortedIndex&, Probe&),    //
    void (*)(const Table&, const BitmapIndex&, Probe&),    //
    void (*)(const Table&, const BloomIndex&, Probe&),     //
    // Structure, and facts if the data was examined (null otherwise).
    void (*)(const Table&, const Column&, const ColumnFacts*, Probe&),
    void (*)(const Table&, const Categories&, const CategoriesFacts*, Probe&),
    // Data: the model and the facts of one subject.
    void (*)(const Table&, const Column&, const ColumnFacts&, Probe&),
    void (*)(const Table&, const ValueSet&, const ColumnFacts&, Probe&),
    void (*)(const Table&, const ListColumn&, const ListFacts&, Probe&),
    void (*)(const Table&, const MinmaxIndex&, const MinmaxFacts&, Probe&),
    void (*)(const Table&, const SortedIndex&, const SortedFacts&, Probe&),
    void (*)(const Table&, const BitmapIndex&, const BitmapFacts&, Probe&),
    void (*)(const Table&, const BloomIndex&, const BloomFacts&, Probe&)>;

// The parts of a table that a check over (Table) looks at. A clause does not pass where one of them
// could not be read.
enum class Sees {
  kTableAttributes,  // the attributes of the table group alone, which are always read
  kColumns,          // columns of either kind
  kCategories,       // the members of CATEGORIES, and the columns that refer to them
  kIndexes,          // search indexes, and the columns that list them
  kEverything,
};

// A row of a rule table. A check over (Table) states what it sees; any other check sees the
// subjects that its signature names.
struct Rule {
  constexpr Rule(ClauseId clause, void (*over_table)(const Table&, Probe&), Sees seen)
      : id(clause), check(over_table), sees(seen) {}
  template <class Subject, class... More>
    requires(sizeof...(More) > 0)
  constexpr Rule(ClauseId clause, void (*over_subjects)(const Table&, Subject, More...))
      : id(clause), check(over_subjects) {}

  ClauseId id;
  Check check;
  std::optional<Sees> sees{};  // of a check over (Table); of no other
};

// All rules, in the order of the specification: rules.cpp lists the chapters.
std::span<const Rule> all_rules();

}  // namespace hepcheck::hep001
