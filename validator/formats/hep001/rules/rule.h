// A rule: the executable form of one clause.
//
// The signature of a check is its quantifier: a check over (Table) runs once, over
// (Table, Column) for every column, and so on; the engine loops, checks do not. A check sees
// only the model, or facts derived from the data; it has no state and makes no output but
// through its Probe. It states one clause: where its precondition is the subject of another
// clause it returns, naming that clause in a comment, so that one defect gives one finding.
//
//   void extent_ge_nrows(const Table& table, const Column& column, Probe& probe) {
//     if (!table.nrows) return;                                            // nrows-present
//     probe.looked();
//     if (*column.data->extent() < *table.nrows)
//       probe.fail({.object = column.path(), .observed = ..., .expected = ..., .hint = ...});
//   }
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "validator/formats/hep001/clause_id.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/probe.h"

namespace hepcheck::hep001 {

// A search index of one family, with the only column that lists it; `column` is null when
// none does (index-referenced) or several do (*-one-column).
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

// Facts: what one pass over the data established (derive/facts.h).
struct ColumnFacts;
struct CategoriesFacts;
struct MinmaxFacts;
struct SortedFacts;
struct BitmapFacts;
struct BloomFacts;

using Check = std::variant<
    // Structure: the model alone.
    void (*)(const Table&, Probe&),                      //
    void (*)(const Table&, const Column&, Probe&),       //
    void (*)(const Table&, const Categories&, Probe&),   //
    void (*)(const Table&, const SearchIndex&, Probe&),  // of any KIND
    void (*)(const Table&, const MinmaxIndex&, Probe&),  //
    void (*)(const Table&, const SortedIndex&, Probe&),  //
    void (*)(const Table&, const BitmapIndex&, Probe&),  //
    void (*)(const Table&, const BloomIndex&, Probe&),   //
    // Structure, and facts in addition where the data was looked at (null where not).
    void (*)(const Table&, const Column&, const ColumnFacts*, Probe&),
    void (*)(const Table&, const Categories&, const CategoriesFacts*, Probe&),
    // Data: the model and the facts of one subject.
    void (*)(const Table&, const Column&, const ColumnFacts&, Probe&),
    void (*)(const Table&, const MinmaxIndex&, const MinmaxFacts&, Probe&),
    void (*)(const Table&, const SortedIndex&, const SortedFacts&, Probe&),
    void (*)(const Table&, const BitmapIndex&, const BitmapFacts&, Probe&),
    void (*)(const Table&, const BloomIndex&, const BloomFacts&, Probe&)>;

using Rule = RuleOf<kClauseIds, Check>;

// The rules of each chapter, in the order of the specification. One file a chapter.
std::span<const Rule> terminology_rules();        // 3    terminology.cpp
std::span<const Rule> object_reference_rules();   // 5    object_references.cpp
std::span<const Rule> boolean_attribute_rules();  // 6    boolean_attributes.cpp
std::span<const Rule> table_class_rules();        // 7.1  table_class.cpp
std::span<const Rule> version_rules();            // 7.2  version.cpp
std::span<const Rule> nrows_rules();              // 7.3  nrows.cpp
std::span<const Rule> table_attribute_rules();    // 7.4  table_attributes.cpp
std::span<const Rule> self_contained_rules();     // 7.6  self_contained.cpp
std::span<const Rule> column_rules();             // 8.1-8.4  columns.cpp
std::span<const Rule> missing_value_rules();      // 8.5  missing_values.cpp
std::span<const Rule> column_attribute_rules();   // 8.6  column_attributes.cpp
std::span<const Rule> categorical_rules();        // 8.7  categoricals.cpp
std::span<const Rule> row_index_rules();          // 9    row_indexes.cpp
std::span<const Rule> search_index_rules();       // 10.1-10.3  search_indexes.cpp
std::span<const Rule> chunk_minmax_rules();       // 10.4 chunk_minmax.cpp
std::span<const Rule> sorted_rows_rules();        // 10.5 sorted_rows.cpp
std::span<const Rule> bitmap_rules();             // 10.6 bitmap.cpp
std::span<const Rule> chunk_bloom_rules();        // 10.7 chunk_bloom.cpp
std::span<const Rule> consistency_rules();        // 12   consistency.cpp
std::span<const Rule> reserved_name_rules();      // 13   reserved_names.cpp

// All of them, in the order of the specification.
std::span<const Rule> all_rules();

}  // namespace hepcheck::hep001
