// Facts: what one pass over a table's data established, in the terms of the clauses.
//
// The judge asks for the facts of each column and index once (collect_facts); the rules of
// the data tier then are small functions of a Table and these values. Facts never hold a
// column: only counts, first places, and the first few differences of each kind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/progress.h"
#include "validator/spread.h"

namespace hepcheck::hep001 {

// What kept the facts of a subject from being established. `broken` tells a failed MUST of
// the structure tier or an unreadable part (the data clauses are then not checked) from
// there being nothing to look at (they are not applicable).
struct Obstacle {
  std::string reason{};
  bool broken = true;
  std::vector<std::string_view> by{};  // the clauses that failed
};

// Rows or chunks that differ from what a clause asks for: how many, and the first of them.
struct Difference {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // row or chunk
  std::string stored{};     // what is there
  std::string computed{};   // what should be
  std::string witness{};    // a query and a row that goes wrong
  Spread where{};           // all of them, for the pictures of a report
};

// 8.5, 8.7: the values of one column. A question that was not asked stays empty.
struct ColumnFacts {
  std::optional<Obstacle> obstacle{};
  std::optional<std::string> unread{};            // why the logical rows cannot all be read
  std::optional<Difference> missing{};            // rows equal to the fill
  std::optional<Difference> outside_range{};      // beyond valid_min or valid_max
  std::optional<Difference> code_out_of_range{};  // categorical codes
  std::optional<Difference> sentinel{};           // the recommended fill as a real value
  std::optional<Difference> no_boolean{};         // neither FALSE nor TRUE
  MissingCells missing_cells{};
};

// 8.7: the labels of one categories dataset.
struct CategoriesFacts {
  std::optional<std::string> unread{};  // why they cannot all be read
};

// 10.4: the entries of a CHUNK_MINMAX index against the chunks. Positions are chunks.
struct MinmaxFacts {
  std::optional<Obstacle> obstacle{};
  std::uint64_t chunks = 0, chunks_with_values = 0, chunks_all_missing = 0;
  Difference nan_count{}, fill_count{}, n_full{}, n_last{};
  Difference min{}, max{}, nan_included{}, fill_included{};
  Difference all_missing_min{}, all_missing_max{};
};

// 10.5: a SORTED_ROWS index against the column. Positions are elements of the index.
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

// 10.6: a BITMAP index against the column. Positions are rows.
struct BitmapFacts {
  std::optional<Obstacle> obstacle{};
  Difference missing_bit{}, extra_bit{};  // should be set, should be clear
  bool reversed = false;                  // most-significant-bit-first packing explains all
  std::uint64_t values = 0;               // that are listed
  Difference duplicate_value{};           // positions in the values dataset
  std::optional<Difference> unlisted{};   // rows of no listed value, where `exhaustive` denies them
  Difference pad_bits{};                  // positions of values whose row has bits beyond NROWS
};

// 10.7: a CHUNK_BLOOM index against the column. Positions are rows.
struct BloomFacts {
  std::optional<Obstacle> obstacle{};
  std::uint64_t chunks = 0;
  Difference lost{};               // values that the filter rules out; `first` is a row
  std::string explanation{};       // the alternative reading that explains the stored bits
  bool only_wrapped_fits = false;  // sums wrapped at 64 bits lose none of these
  // Values that must not be hashed: NaNs, and missing values of enumerations.
  Difference excluded_inserted{};     // chunks whose bits are those of the values and of these
  Difference excluded_perhaps{};      // chunks with the bits of these set among others
  std::uint64_t excluded_chunks = 0;  // chunks with such rows
  std::uint64_t superset_chunks = 0;  // chunks with bits that no value explains; permitted
};

// 9.2, 9.4: one level of a list column. Positions are entries.
struct ListLevelFacts {
  std::optional<std::uint64_t> entries{};  // L: NROWS, or the end of the level above
  std::optional<std::uint64_t> end{};      // OFFSETS[L]: the elements that belong to entries
  std::optional<Obstacle> no_entries{}, no_end{};  // why L, or OFFSETS[L], is not known
  // Why these contents cannot be judged.
  std::optional<Obstacle> offsets{}, mask{}, nulls{}, strings{};
  std::optional<std::string>
      unread{};        // why the members cannot all be read; nothing was found then
  Difference first{};  // OFFSETS[0] is another number than 0
  Difference decrease{};
  Difference mask_value{};      // neither FALSE nor TRUE
  Difference null_not_empty{};  // a null entry that covers elements
  Difference not_utf8{}, byte_order_mark{};
  std::uint64_t null_entries = 0;   // as MASK says
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
  std::vector<ColumnFacts> columns{};  // one a column of the table
  std::vector<ListFacts> lists{};
  std::vector<CategoriesFacts> categories{};
  std::vector<IndexFacts> indexes{};  // one a search index; monostate for an unknown KIND
};

// Where work is cut into pieces. What is found does not depend on it: tests cut small.
struct Cuts {
  // A run of rows is what a thread reads at a time: long enough to be worth one, short enough to
  // share the work evenly.
  std::uint64_t run_bytes = std::uint64_t{512} << 10, run_rows = 1 << 17, run_chunks = 1 << 12;
  // The fewest elements of a SORTED_ROWS index that are verified with one pass over the column,
  // when that is too large for the memory.
  std::uint64_t least_window = 1024;
  // The bits of a BITMAP, those of all values together, that are compared at a time.
  std::uint64_t bitmap_bits = 1 << 25;
};

struct FactOptions {
  bool locate_missing = true;      // fill ColumnFacts::missing_cells
  std::uint64_t memory_limit = 0;  // bytes for column data; 0: a quarter of the machine's
  unsigned jobs = 0;               // threads; 0: as many as there are cores
  Progress* progress = nullptr;
  Cuts cuts{};
};

// The limit in bytes that these options mean.
std::uint64_t memory_limit(const FactOptions& options);

// Reads each column once, over rows [0, min(NROWS, extent)), and the labels of categories; those
// that no data clause asks about too, because what cannot be read must not pass.
TableFacts collect_facts(const Table& table, ValueSource& values, const FactOptions& options);

// The bounds of 8.5 that hold for a column: readable, scalar, of the column's datatype.
struct ValidRange {
  std::optional<std::vector<std::byte>> min{}, max{};
};
ValidRange valid_range(const Dataset& column);

// K for a categorical column whose categories dataset can be used, or why there is none.
struct CategoryCount {
  std::optional<std::uint64_t> k{};
  std::optional<Obstacle> broken{};  // a structure clause that failed
};
CategoryCount category_count(const Table& table, const Column& column);

// The codes of K labels, from 0 to K - 1, in the form of an integer datatype. There is no last one
// where the datatype ends before, and all of its other codes are there.
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
