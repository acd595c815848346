// Facts: the results of one pass over a table's data, in the terms of the clauses.
//
// The judge requests the facts of each column and index once (collect_facts); the rules of the data
// tier are then small functions of a Table and these values. Facts never contain a column: only
// counts,
// first places, and the first few differences of each kind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/options.h"
#include "validator/progress.h"
#include "validator/spread.h"

namespace hepcheck::hep001 {

// The reason why the facts of a subject are unknown. `broken` distinguishes a violated MUST of the
// structure tier or an unreadable part (the data clauses are then not checked) from the absence of
// anything to examine (they are not applicable).
struct Obstacle {
  std::string reason{};
  bool broken = true;
  std::vector<std::string_view> by{};  // the violated clauses
};

// Rows or chunks that differ from the requirement of a clause: their number, and the first of them.
struct Difference {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // row or chunk
  std::string stored{};     // found
  std::string computed{};   // expected
  std::string witness{};    // a query and a row with a wrong result
  Spread where{};           // all of them, for the pictures of a report
};

// 8.5, 8.7: the values of one column. The answer to a question that was not asked stays empty.
struct ColumnFacts {
  std::optional<Obstacle> obstacle{};
  std::optional<std::string> unread{};            // the reason why not all logical rows can be read
  std::optional<Difference> missing{};            // rows equal to the fill
  std::optional<Difference> outside_range{};      // beyond valid_min or valid_max
  std::optional<Difference> code_out_of_range{};  // categorical codes
  std::optional<Difference> sentinel{};           // a real value equal to the recommended fill
  std::optional<Difference> no_boolean{};         // neither FALSE nor TRUE
  MissingCells missing_cells{};
};

// 8.7: the labels of one categories dataset.
struct CategoriesFacts {
  std::optional<std::string> unread{};  // the reason why not all of them can be read
};

// 10.4: the entries of a CHUNK_MINMAX index compared with the chunks. Positions are chunks.
struct MinmaxFacts {
  std::optional<Obstacle> obstacle{};
  std::uint64_t chunks = 0, chunks_with_values = 0, chunks_all_missing = 0;
  Difference nan_count{}, fill_count{}, n_full{}, n_last{};
  Difference min{}, max{}, nan_included{}, fill_included{};
  Difference all_missing_min{}, all_missing_max{};
};

// 10.5: a SORTED_ROWS index compared with the column. Positions are elements of the index.
struct SortedFacts {
  std::optional<Obstacle> obstacle{};
  std::uint64_t rows = 0, nan_rows = 0, fill_rows = 0;
  Difference permutation{};       // out of range, or listed twice
  Difference order{};             // neighbours in the wrong order
  bool order_by_padding = false;  // comparing with padding explains the stored order
  Difference ties{}, zero_ties{};
  Difference nan_placement{}, fill_placement{}, nan_order{}, fill_order{};
  std::optional<std::uint64_t> nan_tail_length{}, fill_tail_length{};  // as stored
  std::string nan_tail_witness{}, fill_tail_witness{};                 // of a wrong length
};

// 10.6: a BITMAP index compared with the column. Positions are rows.
struct BitmapFacts {
  std::optional<Obstacle> obstacle{};
  Difference missing_bit{}, extra_bit{};  // should be set, should be clear
  bool reversed = false;         // most-significant-bit-first packing explains all differences
  std::uint64_t values = 0;      // listed values
  Difference duplicate_value{};  // positions in the values dataset
  std::optional<Difference> unlisted{};  // rows of unlisted values, which `exhaustive` denies
  Difference pad_bits{};                 // positions of values with bits beyond NROWS
};

// 10.7: a CHUNK_BLOOM index compared with the column. Positions are rows.
struct BloomFacts {
  std::optional<Obstacle> obstacle{};
  std::uint64_t chunks = 0;
  Difference lost{};               // values that the filter excludes; `first` is a row
  std::string explanation{};       // the alternative interpretation that explains the stored bits
  bool only_wrapped_fits = false;  // sums wrapped at 64 bits lose none of these
  // Values that must not be hashed: NaNs, and missing values of enumerations.
  Difference excluded_inserted{};  // chunks whose bits are exactly those of the values and of these
  Difference excluded_perhaps{};   // chunks with the bits of these set, among others
  std::uint64_t excluded_chunks = 0;  // chunks with such rows
  std::uint64_t superset_chunks = 0;  // chunks with bits that no value explains; permitted
};

// 9.2, 9.4: one level of a list column. Positions are entries.
struct ListLevelFacts {
  std::optional<std::uint64_t> entries{};  // L: NROWS, or the end of the level above
  std::optional<std::uint64_t> end{};  // OFFSETS[L]: the number of elements that belong to entries
  std::optional<Obstacle> no_entries{}, no_end{};  // the reason why L, or OFFSETS[L], is unknown
  // The reason why these contents cannot be judged.
  std::optional<Obstacle> offsets{}, mask{}, nulls{}, strings{};
  std::optional<std::string>
      unread{};        // the reason why the members cannot all be read; nothing was found then
  Difference first{};  // OFFSETS[0] is not 0
  Difference decrease{};
  Difference mask_value{};      // neither FALSE nor TRUE
  Difference null_not_empty{};  // a null entry that covers elements
  Difference not_utf8{}, byte_order_mark{};
  std::uint64_t null_entries = 0;   // according to MASK
  std::uint64_t empty_entries = 0;  // entries without elements that are not null
  std::uint64_t longest = 0;        // elements of the longest entry
};

// A list column, level by level, and the values of its leaf.
struct ListFacts {
  std::vector<ListLevelFacts> levels{};
  ColumnFacts leaf{};
};

using IndexFacts = std::variant<std::monostate, MinmaxFacts, SortedFacts, BitmapFacts, BloomFacts>;

struct TableFacts {
  std::vector<ColumnFacts> columns{};  // one per column of the table
  std::vector<ListFacts> lists{};
  std::vector<CategoriesFacts> categories{};
  std::vector<IndexFacts> indexes{};  // one per search index; monostate for an unknown KIND
};

// The sizes by which work is divided. Results do not depend on them: tests use small ones.
struct Cuts {
  // A run of rows is the unit of work of a thread: long enough to be worthwhile, short enough to
  // balance the load.
  std::uint64_t run_bytes = std::uint64_t{512} << 10, run_rows = 1 << 17, run_chunks = 1 << 12;
  // The minimum number of elements of a SORTED_ROWS index that are verified in one pass over the
  // column, if the column exceeds the memory.
  std::uint64_t least_window = 1024;
  // The number of bits of a BITMAP, of all values together, that are compared at a time.
  std::uint64_t bitmap_bits = 1 << 25;
};

struct FactOptions {
  bool locate_missing = true;      // fill ColumnFacts::missing_cells
  std::uint64_t memory_limit = 0;  // bytes for column data; 0: a quarter of the machine's
  unsigned jobs = 0;               // threads; 0: the number of cores
  Progress* progress = nullptr;
  Cuts cuts{};
  Share share{};  // only these columns, with their indexes, list columns and categories
};

// The limit in bytes that results from these options.
std::uint64_t memory_limit(const FactOptions& options);

// Reads each column once, over rows [0, min(NROWS, extent)), and the labels of categories; also
// those that no data clause examines, because unreadable values must not pass.
TableFacts collect_facts(const Table& table, ValueSource& values, const FactOptions& options);

// The facts of all shares, in their order, as one run over all columns collects them. Each has one
// entry for each part of the table; those of other shares are not used.
TableFacts join_facts(const Table& table, std::vector<TableFacts> of_shares);

// The bounds of 8.5 that apply to a column: readable, scalar, of the column's datatype.
struct ValidRange {
  std::optional<std::vector<std::byte>> min{}, max{};
};
ValidRange valid_range(const Dataset& column);

// K for a categorical column whose categories dataset is usable, or the reason why there is none.
struct CategoryCount {
  std::optional<std::uint64_t> k{};
  std::optional<Obstacle> broken{};  // a violated structure clause
};
CategoryCount category_count(const Table& table, const Column& column);

// The codes of K labels, from 0 to K - 1, in the form of an integer datatype. There is no last one
// if the datatype has fewer values, and all of its other codes exist.
struct CodeRange {
  bool empty = false;
  std::vector<std::byte> first{};
  std::optional<std::vector<std::byte>> last{};
};
CodeRange code_range(const Datatype& type, std::uint64_t k);

// The recommended fill value of Table 1 in the column's stored form, for the numeric
// families that have one.
std::optional<std::vector<std::byte>> recommended_fill(const Datatype& type);

}  // namespace hepcheck::hep001
