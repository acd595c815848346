// Page lists: summaries of clusters, and the locations of their pages (7.3).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/rntuple/footer.h"

namespace hepcheck::rntuple {

struct PageInfo {
  std::uint64_t offset = 0, size = 0;
  std::uint32_t elements = 0;
  bool checksum = false;
  bool on_disk = true;
  bool usable = false;  // its locator is in the file, and its number of elements is known
};

struct ColumnChunk {
  std::uint64_t first_page = 0;  // among the pages of the page list
  std::uint32_t pages = 0;
  std::uint64_t element_offset = 0;
  std::uint32_t settings = 0;
  bool suppressed = false;
  std::uint64_t at = 0;
  ByteSpan tail{};  // behind the pages
};

struct Cluster {
  std::uint64_t first_entry = 0, entries = 0;
  std::uint8_t flags = 0;
  std::optional<std::uint32_t> group{};  // of a sharded cluster
  bool in_range = true;                  // its column group exists
  std::vector<ColumnChunk> chunks{};     // in the order of its columns
  bool pages_known = false;
  bool short_list = false;  // columns of the extension are not listed
  std::uint64_t at = 0;     // of the summary
  std::uint64_t list_at = 0;
  ByteSpan surplus{}, list_tail{};  // of the summary, and behind the last column

  bool sharded() const { return group.has_value(); }
};

struct PageList {
  std::vector<Cluster> clusters{};
  std::vector<PageInfo> pages{};
  std::uint64_t header_checksum = 0;
  ByteSpan summaries_tail{}, locations_tail{}, surplus{};
  bool plain = true;           // all pages have a locator on disk
  bool entries_known = false;  // the summaries are read
  bool usable = false;         // and the locations of pages
};

// Reads the page list of a cluster group. What cannot be read is missing from the result.
void read_page_list(Cursor& cursor, Context& context, std::uint64_t header_checksum,
                    const Schema& schema, const Footer& footer, PageList& into);
// Compares the cluster group with the summaries.
void judge_cluster_group(const ClusterGroup& group, const PageList& list, const Place& at,
                         Notes& notes);
// Whether the clusters of all groups cover the entries; needs all page lists.
void judge_partition(const std::vector<PageList>& lists, const Footer& footer, const Schema& schema,
                     const Path& path, Notes& notes);
bool judge_limit(std::uint64_t first, std::uint64_t entries, const Place& at, Notes& notes);

// The columns that a cluster has, by the position of their chunks.
inline std::uint32_t column_of(const Cluster& cluster, const Footer& footer, std::size_t chunk) {
  return cluster.sharded() ? footer.column_groups[*cluster.group].columns[chunk]
                           : static_cast<std::uint32_t>(chunk);
}

void page_list_rules(RuleList& list);

}  // namespace hepcheck::rntuple
