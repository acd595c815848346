#include "validator/formats/rntuple/page_list.h"

#include <algorithm>
#include <format>
#include <limits>
#include <set>

#include "validator/formats/rntuple/rule.h"

namespace hepcheck::rntuple {

namespace {

// --- 7.3: the envelope ---------------------------------------------------------------------------

struct ListParts {
  int parts;
};
constexpr Rule kListElements("rntuple-page-list-elements", [](const ListParts& it, Look& look) {
  constexpr std::string_view kParts[] = {"the header checksum", "the list of cluster summaries",
                                         "the list of page locations"};
  look.ask(
      it.parts == 3,
      [&] { return std::format("a page list that ends before {}", kParts[it.parts]); },
      "all parts of the page list");
});

struct ListChecksum {
  std::uint64_t stated, header;
};
constexpr Rule kListChecksum("rntuple-page-list-header-checksum", [](const ListChecksum& it,
                                                                     Look& look) {
  look.ask(
      it.stated == it.header, [&] { return std::format("{:#018x}", it.stated); },
      [&] { return std::format("{:#018x}, the checksum of the header", it.header); });
});

// --- 7.3.1: cluster summaries --------------------------------------------------------------------

void cluster_flags(const Cluster& it, Look& look) {
  look.ask(it.flags <= 1, [&] { return std::format("flags {:#x}", it.flags); }, "0x0 or 0x1");
}
constexpr Rule kClusterFlags("rntuple-cluster-flags-defined", cluster_flags);

struct Shard {
  std::uint32_t group;
  std::uint64_t groups;
};
constexpr Rule kShard("rntuple-sharded-cluster-group", [](const Shard& it, Look& look) {
  look.ask(
      it.group < it.groups, [&] { return std::format("column group {}", it.group); },
      [&] { return std::format("one of {} column groups", it.groups); });
});

struct EntryRange {
  std::uint64_t first, entries;
};
constexpr Rule kLimitEntries("rntuple-limit-entries", [](const EntryRange& it, Look& look) {
  look.ask(
      it.entries <= kLargestNumber - it.first,
      [&] { return std::format("{} entries from {} on", it.entries, it.first); },
      "at most 2^64-1 entries");
});

// --- 7.3.2: page locations -----------------------------------------------------------------------

struct ListedClusters {
  std::uint64_t lists, summaries;
};
constexpr Rule kListClusters("rntuple-page-list-clusters", [](const ListedClusters& it,
                                                              Look& look) {
  look.ask(
      it.lists == it.summaries, [&] { return std::format("{} items", it.lists); },
      [&] { return std::format("{}, one for each summary", it.summaries); });
});

struct ListedColumns {
  std::uint64_t lists, columns, least;
};
constexpr Rule kListColumns("rntuple-page-list-columns", [](const ListedColumns& it, Look& look) {
  look.ask(
      it.least <= it.lists && it.lists <= it.columns,
      [&] { return std::format("{} lists", it.lists); },
      [&] { return std::format("{}, one for each column", it.columns); });
});

struct Tail {
  std::uint64_t left;
};
constexpr Rule kTail("rntuple-page-list-tail", [](const Tail& it, Look& look) {
  look.ask(
      it.left >= 12, [&] { return std::format("{} bytes after the last page", it.left); },
      "12 bytes: the element offset and the compression settings");
});

struct SuppressedChunk {
  bool suppressed;
};
constexpr Rule kSuppressed("rntuple-dialect-suppressed-column", [](const SuppressedChunk& it,
                                                                   Look& look) {
  look.ask(!it.suppressed, "a suppressed column of a later draft", "element offset 0 or more");
});

struct PageCount {
  std::int32_t stored;
  std::uint16_t bits;

  std::uint64_t elements() const {
    return stored < 0 ? ~static_cast<std::uint64_t>(stored) + 1
                      : static_cast<std::uint64_t>(stored);
  }
};
void page_count(const PageCount& it, Look& look) {
  look.ask(it.stored != std::numeric_limits<std::int32_t>::min(), "-2^31",
           "at most 2^31-1 elements");
}
void page_not_empty(const PageCount& it, Look& look) {
  look.ask(it.stored != 0, "a page of 0 elements", "pages with elements");
}
void page_bytes(const PageCount& it, Look& look) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  look.ask(
      it.elements() * it.bits / 8 <= kMost,
      [&] { return std::format("{} elements of {} bits", it.elements(), it.bits); },
      "2 GiB at most");
}
constexpr Rule<PageCount> kPageCount[] = {
    {"rntuple-page-element-count", page_count},
    {"rntuple-page-not-empty", page_not_empty},
    {"rntuple-limit-page-bytes", page_bytes},
};

// --- 7.2.3: cluster groups and their summaries ---------------------------------------------------

struct Summed {
  const ClusterGroup& group;
  const PageList& list;
};

void group_minimum(const Summed& it, Look& look) {
  if (it.list.clusters.empty()) return;
  std::uint64_t least = kLargestNumber;
  for (const Cluster& each : it.list.clusters) least = std::min(least, each.first_entry);
  look.ask(
      it.group.first_entry == least, [&] { return std::format("{}", it.group.first_entry); },
      [&] { return std::format("{}, the first entry of its clusters", least); });
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted_ranges(
    const std::vector<Cluster>& clusters) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> made;
  for (const Cluster& each : clusters)
    made.emplace_back(each.first_entry, each.first_entry + each.entries);
  std::ranges::sort(made);
  return made;
}

void group_span(const Summed& it, Look& look) {
  const auto ranges = sorted_ranges(it.list.clusters);
  std::uint64_t covered = 0, end = 0;
  for (const auto& [from, to] : ranges) {
    if (to > std::max(from, end)) covered += to - std::max(from, end);
    end = std::max(end, to);
  }
  const std::uint64_t whole = ranges.empty() ? 0 : end - ranges.front().first;
  look.ask(
      it.group.entries == covered || it.group.entries == whole,
      [&] { return std::format("{}", it.group.entries); },
      [&] { return std::format("{} entries, as its clusters have", covered); });
}

void group_clusters(const Summed& it, Look& look) {
  look.ask(
      it.group.clusters == it.list.clusters.size(),
      [&] { return std::format("{}", it.group.clusters); },
      [&] { return std::format("{} summaries", it.list.clusters.size()); });
}

constexpr Rule<Summed> kSummed[] = {
    {"rntuple-cluster-group-minimum-entry", group_minimum},
    {"rntuple-cluster-group-entry-span", group_span},
    {"rntuple-cluster-group-clusters", group_clusters},
};

struct Partition {
  std::string fault{};
};
constexpr Rule kPartition("rntuple-clusters-partition-entries", [](const Partition& it,
                                                                   Look& look) {
  look.ask(it.fault.empty(), it.fault, "clusters that follow each other from entry 0 on");
});

struct GroupsAndShards {
  std::uint64_t groups;
  bool sharded;
};
constexpr Rule kOnlySharded("rntuple-column-groups-only-sharded", [](const GroupsAndShards& it,
                                                                     Look& look) {
  look.ask(
      it.sharded || it.groups == 0, [&] { return std::format("{} column groups", it.groups); },
      "no column groups without sharded clusters");
});

// --- Reading -------------------------------------------------------------------------------------

bool read_summary(Cursor& cursor, const Footer& footer, Cluster& into) {
  into.at = cursor.at();
  if (!cursor.fixed(16, "a cluster summary")) return false;
  into.first_entry = cursor.number<std::uint64_t>();
  const auto second = cursor.number<std::uint64_t>();
  into.flags = static_cast<std::uint8_t>(second >> 60);
  into.entries = second & (kLargestNumber >> 4);
  judge<kClusterFlags>(into, cursor.place(into.at), cursor.notes());
  if (into.flags == 1) {
    if (!cursor.fixed(4, "a column group")) return false;
    into.group = cursor.number<std::uint32_t>();
    into.in_range = judge<kShard>(Shard{*into.group, footer.column_groups.size()},
                                  cursor.place(into.at), cursor.notes());
  }
  return judge_limit(into.first_entry, into.entries, cursor.place(into.at), cursor.notes());
}

bool read_summaries(Cursor& cursor, const Footer& footer, PageList& into) {
  Frame list;
  if (!cursor.frame(true, kLeastRecord, list)) return false;
  const Path& outer = cursor.path();
  const Inside inside(cursor, list, outer);
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(kLeastRecord, list, i)) return false;
    const Path path{.up = &outer, .kind = "cluster", .index = i};
    Frame record;
    if (!cursor.frame(false, 0, record)) return false;
    const Inside one(cursor, record, path);
    Cluster made;
    if (!read_summary(cursor, footer, made)) return false;
    made.surplus = cursor.rest();
    into.clusters.push_back(std::move(made));
  }
  into.summaries_tail = cursor.rest();
  return true;
}

bool read_page(Cursor& cursor, Context& context, const Frame& list, std::uint32_t index,
               const Column* column, PageInfo& page) {
  if (!cursor.item(8, list, index)) return false;
  const std::uint64_t begin = cursor.at();
  const bool on_disk = load<std::int32_t>(cursor.bytes().data() + begin + 4) >= 0;
  if (on_disk && !cursor.item(16, list, index)) return false;
  const PageCount count{cursor.number<std::int32_t>(), column ? column->bits : std::uint16_t{0}};
  Locator locator;
  const bool counted = judge<kPageCount>(count, cursor.place(begin), cursor.notes());
  if (!cursor.locator(locator)) return false;
  page.elements = static_cast<std::uint32_t>(count.elements());
  page.checksum = count.stored < 0;
  page.offset = locator.offset;
  page.size = locator.size;
  page.on_disk = locator.on_disk;
  // A large locator of a later draft cannot be distinguished from a URI; what it points to is not
  // fetched.
  const bool there = locator.usable() &&
                     reach(context, page.offset, page.size, cursor.place(begin)) == Reach::kThere;
  if (!locator.usable()) {
    context.incomplete = true;
    cursor.notes().blocked("rntuple-block-decodes", "a page is not in this file");
  }
  page.usable = counted && there;
  return true;
}

bool read_chunk(Cursor& cursor, Context& context, const Schema& schema, std::uint32_t id,
                const Path& outer, PageList& into, ColumnChunk& made) {
  const Path path{.up = &outer, .kind = "column", .index = id};
  made.at = cursor.at();
  Frame list;
  // In the frame there are the pages, the element offset and the settings.
  if (!cursor.frame(true, 8, list)) return false;
  const Inside inside(cursor, list, path);
  made.first_page = into.pages.size();
  made.pages = list.items;
  const Column* const column = id < schema.columns.size() ? &schema.columns[id] : nullptr;
  for (std::uint32_t i = 0; i < list.items; ++i) {
    const Path at{.up = &path, .kind = "page", .index = i};
    cursor.in(at);
    PageInfo page;
    const bool sound = read_page(cursor, context, list, i, column, page);
    cursor.in(path);
    if (!sound) return false;
    into.plain &= page.on_disk;
    into.pages.push_back(page);
  }
  made.tail = cursor.rest();
  if (cursor.later_draft() && cursor.left() >= 8 &&
      load<std::int64_t>(cursor.bytes().data() + cursor.at()) < 0) {
    made.suppressed = true;
    judge<kSuppressed>(SuppressedChunk{true}, cursor.place(), cursor.notes());
    return true;
  }
  if (!judge<kTail>(Tail{cursor.left()}, cursor.place(), cursor.notes())) return false;
  if (cursor.later_draft())
    judge<kSuppressed>(SuppressedChunk{column && column->suppressed_first}, cursor.place(),
                       cursor.notes());
  made.element_offset = cursor.number<std::uint64_t>();
  made.settings = cursor.number<std::uint32_t>();
  made.suppressed = column && column->suppressed_first && list.items == 0;
  return true;
}

// The chunks of one cluster. False if the envelope cannot be read further.
bool read_cluster(Cursor& cursor, Context& context, const Schema& schema, const Footer& footer,
                  PageList& into, Cluster& cluster) {
  Frame list;
  cluster.list_at = cursor.at();
  if (!cursor.frame(true, kLeastList, list)) return false;
  const Path& outer = cursor.path();
  const Inside inside(cursor, list, outer);
  if (!cluster.in_range) return true;
  const std::uint64_t columns = cluster.sharded()
                                    ? footer.column_groups[*cluster.group].columns.size()
                                    : schema.columns.size();
  // Columns of the extension may be missing, if they have no elements here (judge_counts).
  const std::uint64_t least = cluster.sharded() ? columns : schema.header_columns;
  if (!judge<kListColumns>(ListedColumns{list.items, columns, least}, cursor.place(list.begin),
                           cursor.notes()))
    return true;
  cluster.short_list = list.items < columns;
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(kLeastList, list, i)) return false;
    ColumnChunk chunk;
    if (!read_chunk(cursor, context, schema, column_of(cluster, footer, i), outer, into, chunk))
      return false;
    cluster.chunks.push_back(chunk);
  }
  cluster.list_tail = cursor.rest();
  cluster.pages_known = true;
  return true;
}

}  // namespace

bool judge_limit(std::uint64_t first, std::uint64_t entries, const Place& at, Notes& notes) {
  return judge<kLimitEntries>(EntryRange{first, entries}, at, notes);
}

void read_page_list(Cursor& cursor, Context& context, std::uint64_t header_checksum,
                    const Schema& schema, const Footer& footer, PageList& into) {
  Notes& notes = cursor.notes();
  const auto part = [&](int parts) {
    return cursor.left() >= kLeastRecord ||
           judge<kListElements>(ListParts{parts}, cursor.place(), notes);
  };
  if (!part(0)) return;
  const std::uint64_t checksum_at = cursor.at();
  const ListChecksum checksum{cursor.number<std::uint64_t>(), header_checksum};
  into.header_checksum = checksum.stated;
  if (!judge<kListChecksum>(checksum, cursor.place(checksum_at), notes)) return;
  if (!part(1) || !read_summaries(cursor, footer, into)) return;
  into.entries_known = true;
  if (!part(2)) return;
  judge<kListElements>(ListParts{3}, cursor.place(), notes);
  Frame list;
  if (!cursor.frame(true, kLeastList, list)) return;
  const std::uint64_t behind = cursor.end() - list.end;
  into.surplus = cursor.bytes().subspan(list.end, behind);
  const Path& outer = cursor.path();
  const Inside inside(cursor, list, outer);
  if (!judge<kListClusters>(ListedClusters{list.items, into.clusters.size()},
                            cursor.place(list.begin), notes))
    return;
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(kLeastList, list, i)) return;
    const Path path{.up = &outer, .kind = "cluster", .index = i};
    cursor.in(path);
    const bool sound = read_cluster(cursor, context, schema, footer, into, into.clusters[i]);
    cursor.in(outer);
    if (!sound) return;
  }
  into.locations_tail = cursor.rest();
  into.usable = true;
}

void judge_cluster_group(const ClusterGroup& group, const PageList& list, const Place& at,
                         Notes& notes) {
  judge_each<kSummed>(Summed{group, list}, at, notes);
}

void judge_partition(const std::vector<PageList>& lists, const Footer& footer, const Schema& schema,
                     const Path& path, Notes& notes) {
  bool sharded = false;
  std::vector<Cluster> whole;
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> held;
  for (const PageList& list : lists)
    for (const Cluster& each : list.clusters) sharded |= each.sharded();
  judge<kOnlySharded>(GroupsAndShards{footer.column_groups.size(), sharded}, Place{.path = &path},
                      notes);
  Partition found;
  if (!sharded) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const PageList& list : lists)
      for (const auto& range : sorted_ranges(list.clusters))
        if (range.second > range.first) ranges.push_back(range);
    std::ranges::sort(ranges);
    std::uint64_t end = 0;
    for (const auto& [from, to] : ranges) {
      if (from != end) {
        found.fault = std::format("a cluster from entry {} on, after entry {}", from, end);
        break;
      }
      end = to;
    }
  } else {
    held.resize(schema.columns.size());
    for (const PageList& list : lists)
      for (const Cluster& each : list.clusters) {
        if (!each.in_range || each.entries == 0) continue;
        const std::size_t columns = each.sharded()
                                        ? footer.column_groups[*each.group].columns.size()
                                        : schema.columns.size();
        std::set<std::uint32_t> ids;
        for (std::size_t i = 0; i < columns; ++i) {
          const std::uint32_t id = column_of(each, footer, i);
          if (id < held.size() && ids.insert(id).second)
            held[id].emplace_back(each.first_entry, each.first_entry + each.entries);
        }
      }
    for (std::size_t id = 0; id < held.size() && found.fault.empty(); ++id) {
      std::ranges::sort(held[id]);
      for (std::size_t i = 1; i < held[id].size(); ++i)
        if (held[id][i].first < held[id][i - 1].second) {
          found.fault =
              std::format("two clusters with column {} and entry {}", id, held[id][i].first);
          break;
        }
    }
  }
  judge<kPartition>(found, Place{.path = &path}, notes);
}

void page_list_rules(RuleList& list) {
  list.structure<kListElements, kListChecksum, kClusterFlags, kShard, kLimitEntries, kListClusters,
                 kListColumns, kTail, kSuppressed, kPageCount, kSummed, kPartition, kOnlySharded>();
}

}  // namespace hepcheck::rntuple
