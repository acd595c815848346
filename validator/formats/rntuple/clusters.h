// The clusters of an RNTuple one after the other: values, numbers of elements, element offsets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "validator/formats/rntuple/mapping.h"
#include "validator/formats/rntuple/pages.h"

namespace hepcheck::rntuple {

struct ColumnTotals {
  std::uint64_t elements = 0, pages = 0, stored = 0, plain = 0;  // plain: bits
  std::optional<std::uint64_t> nulls{};                          // of the column of optional values

  void add(const ColumnTotals& other);
};

struct Totals {
  std::uint64_t clusters = 0, entries = 0, pages = 0, stored = 0, plain = 0;  // bytes
  std::vector<ColumnTotals> columns{};
  // Of each column, in cells of so many clusters each.
  std::uint64_t clusters_per_cell = 1;
  std::vector<std::vector<ColumnTotals>> cells{};

  explicit Totals(std::size_t count) : columns(count), cells(count) {}
  // What follows belongs to another cluster.
  void next_cluster();
};

class Clusters {
 public:
  // All must outlive it. `mapped` is empty if the schema does not allow to count.
  Clusters(Context& context, const Schema& schema, const Footer& footer,
           const std::vector<Mapped>& mapped, unsigned threads);

  // Examines the clusters of a page list, in the order of their ids. `at`: of the page list;
  // `offset`: of its raw bytes in the file.
  void examine(const PageList& list, const Path& at, std::uint32_t number,
               std::optional<std::uint64_t> offset);
  const Totals& totals() const { return totals_; }

 private:
  // What is known about a column over all clusters so far.
  struct State {
    bool any_offset = false;               // the next element offset is taken as it is
    std::vector<std::uint64_t> offsets{};  // the accepted ones
    bool stored = false;                   // it had elements
    bool demanded_known = true;
    std::uint64_t demanded = 0;           // elements, leading ones of a deferred column included
    std::optional<std::uint64_t> last{};  // value, for orders
    bool order_told = false;
  };
  // And in this cluster.
  struct Here {
    const ColumnChunk* chunk = nullptr;
    bool listed = false;  // or missing because it has no elements
    bool usable = true;   // all its pages were decoded
    bool suppressed = false;
    bool trusted = true;  // values that count others are sound
    std::uint64_t elements = 0;
    std::uint64_t last = 0;  // value of an index
    std::optional<std::uint64_t> nulls{};
    std::map<std::uint32_t, std::uint64_t> tags{};
    std::optional<std::uint64_t> demanded{};
    bool count_failed = false;
  };
  // How often a field is instantiated in a cluster.
  struct Count {
    std::uint64_t n = 0;
    std::optional<std::uint64_t> other{};  // passes too
  };

  Wants wants_of(std::uint32_t column) const;
  void look_at(const PageList& list);
  const PageFacts& facts_of(std::uint64_t page) const { return facts_[job_of_[page]]; }
  void examine_cluster(const PageList& list, const Cluster& cluster, const Path& at);
  void judge_chunk(const PageList& list, std::uint32_t column, Here& here, const Path& at);
  void judge_values(const PageList& list, std::uint32_t column, Here& here, const Path& at);
  void judge_switch(const PageList& list, std::uint32_t column, Here& here, const Path& at);
  void judge_counts(const Cluster& cluster, std::vector<Here>& here, const Path& at);
  bool count_field(std::uint32_t field, const Count& count, std::vector<Here>& here, const Path& at,
                   std::vector<std::optional<Count>>& counts);
  bool demand(std::uint32_t column, const Count& count, std::vector<Here>& here, const Path& at);
  void judge_offsets(std::vector<Here>& here, const Path& at);
  std::vector<std::uint32_t> active(const Field& field, const std::vector<Here>& here) const;

  Context& context_;
  const Schema& schema_;
  const Footer& footer_;
  const std::vector<Mapped>& mapped_;
  unsigned threads_;
  std::vector<std::uint32_t> order_{};  // fields, parents first
  std::vector<State> states_{};
  std::vector<Wants> wants_{};
  std::vector<PageFacts> facts_{};
  std::vector<std::size_t> job_of_{};  // of each page of the page list
  std::optional<std::uint64_t> list_offset_{};
  std::optional<std::uint64_t> missing_demand_{};  // a missing column that has elements
  std::uint32_t list_number_ = 0;
  Totals totals_;
};

// The ranges of the file that the RNTuple refers to.
void judge_ranges(Context& context, const Path& path);

void cluster_rules(RuleList& list);

}  // namespace hepcheck::rntuple
