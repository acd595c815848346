#include "validator/formats/rntuple/examination.h"

#include <algorithm>
#include <format>

#include "validator/machine.h"

namespace hepcheck::rntuple {

namespace {

constexpr std::initializer_list<std::string_view> kBehindAnchor = {
    "block.cpp",     "frame.cpp", "envelope.cpp", "schema.cpp",   "footer.cpp",
    "page_list.cpp", "pages.cpp", "clusters.cpp", "metadata.cpp", "mapping.cpp"};
constexpr std::initializer_list<std::string_view> kAnchorFile = {"anchor.cpp"};
// What the page lists are judged by.
constexpr std::initializer_list<std::string_view> kBehindSchema = {"page_list.cpp", "pages.cpp",
                                                                   "clusters.cpp"};
constexpr std::initializer_list<std::string_view> kOfSchema = {
    "frame.cpp", "schema.cpp", "footer.cpp", "mapping.cpp", "metadata.cpp"};
constexpr std::initializer_list<std::string_view> kOfMapping = {"mapping.cpp"};
constexpr std::initializer_list<std::string_view> kOfPages = {"frame.cpp", "page_list.cpp",
                                                              "pages.cpp", "clusters.cpp"};
constexpr std::initializer_list<std::string_view> kOfMetadata = {"frame.cpp", "metadata.cpp"};

Extent extent_of(const Link& link) { return {link.locator.offset, link.locator.size, link.length}; }

}  // namespace

Examination::Examination(const RootFile& root, const AnchorKey& anchor, const Specification& spec,
                         const FileOptions& options, Budget& decoded, std::uint64_t memory)
    : root_(root), key_(anchor), options_(options), decoded_(decoded), memory_(memory),
      notes_(spec, options.examine.max_findings) {
  path_ = {.kind = key_.path};
  header_path_ = {.up = &path_, .kind = "header"};
  footer_path_ = {.up = &path_, .kind = "footer"};
  schema_.header = &header_path_;
  schema_.footer = &footer_path_;
}

const std::vector<Referenced>& Examination::referenced() const {
  static const std::vector<Referenced> none;
  return context_ ? context_->referenced : none;
}

std::string Examination::dialect_seen() const {
  if (!usable()) return read_.dialect;
  const Anchor& it = read_.anchor;
  std::string version = std::format("version {}.{}.{}.{}, anchor class version {}", it.epoch,
                                    it.major, it.minor, it.patch, it.class_version);
  if (!it.later_draft()) return "dialect rc2-a, " + version;
  const bool later = std::ranges::any_of(
      schema_.fields, [](const Field& each) { return (each.flags & 0x0E) != 0; });
  const bool list = !notes_.probe_of("rntuple-dialect-no-metadata-list").findings().empty();
  return (later || list ? "dialect rc2-c, " : "dialect rc2-b, ") + version;
}

void Examination::run() {
  read_ = read_anchor(root_, key_, path_, notes_);
  switch (read_.state) {
    case AnchorRead::State::kUsable: break;
    case AnchorRead::State::kBroken:
      notes_.block_files(kBehindAnchor, "the anchor is not usable", {read_.stopped_by});
      return;
    case AnchorRead::State::kUnsupported:
      notes_.block_files(kBehindAnchor,
                         read_.dialect + " is another dialect, which is not examined", {});
      return;
    case AnchorRead::State::kUnread:
      notes_.block_files(kBehindAnchor, read_.reason, {});
      notes_.block_files(kAnchorFile, read_.reason, {});
      return;
  }
  context_ = std::make_unique<Context>(Context{.root = root_,
                                               .limits = options_.limits,
                                               .anchor = read_.anchor,
                                               .decoded = decoded_,
                                               .memory = memory_,
                                               .notes = notes_});
  if (!read_schema()) return;
  read_clusters();
  for (std::uint32_t i = 0; i < footer_.metadata.size(); ++i)
    read_metadata_of(footer_.metadata[i], i);
  judge_ranges(*context_, path_);
}

// Header and footer. False if the page lists cannot be examined.
bool Examination::read_schema() {
  const bool later = read_.anchor.later_draft();
  const auto lost = [&](std::string_view what, const std::string& why) {
    const std::string reason = std::format("the {} is not usable: {}", what, why);
    notes_.block_files(kOfSchema, reason, {});
    notes_.block_files(kBehindSchema, reason, {});
    return false;
  };
  schema_.later_draft = later;
  header_bytes_ =
      read_envelope(*context_, read_.anchor.header, EnvelopeType::kHeader, 0, header_path_);
  footer_bytes_ =
      read_envelope(*context_, read_.anchor.footer, EnvelopeType::kFooter, 0, footer_path_);
  if (!header_bytes_.usable) return lost("header", header_bytes_.reason);
  if (!footer_bytes_.usable) return lost("footer", footer_bytes_.reason);
  Cursor header(header_bytes_.bytes, header_bytes_.offset, header_path_, later, notes_);
  header.go(kPayload);
  header.bound(header_bytes_.payload_end());
  const bool header_read = read_header(header, key_.key.name, header_, schema_);
  Cursor footer(footer_bytes_.bytes, footer_bytes_.offset, footer_path_, later, notes_);
  footer.go(kPayload);
  footer.bound(footer_bytes_.payload_end());
  const bool footer_read = read_footer(footer, header_bytes_.checksum(), footer_, schema_);
  // Of a schema of which a part is missing, the connections cannot be judged.
  if (!header_read) return lost("header", "it cannot be read to its end");
  if (!footer_.schema_read) return lost("footer", "it cannot be read to its end");
  settle_schema(schema_, notes_);
  judge_column_groups(footer_, schema_, notes_);
  if (schema_.tree)
    mapped_ = judge_mapping(schema_, notes_);
  else
    notes_.block_files(kOfMapping, "fields and columns are not connected", {});
  if (!footer_read) return lost("footer", "it cannot be read to its end");
  if (!footer_.belongs) {
    notes_.block_files(kBehindSchema, "header and footer do not belong together",
                       {"rntuple-footer-header-checksum"});
    return false;
  }
  return true;
}

void Examination::read_clusters() {
  const unsigned threads = options_.examine.jobs > 0 ? options_.examine.jobs : cores();
  clusters_ = std::make_unique<Clusters>(*context_, schema_, footer_, mapped_, threads);
  std::vector<PageList> lists(footer_.cluster_groups.size());
  std::vector<Envelope> kept(lists.size());
  bool all = true;
  if (!schema_.tree && !footer_.cluster_groups.empty()) {
    notes_.blocked("rntuple-column-element-count", "fields and columns are not connected");
  }
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    const ClusterGroup& group = footer_.cluster_groups[i];
    PageList& list = lists[i];
    const Path path{.up = &path_, .kind = "pagelist", .index = i};
    const Path at_group{.up = &footer_path_, .kind = "cluster group", .index = i};
    const Place place{.path = &at_group, .within = group.at};
    if (!judge_limit(group.first_entry, group.entries, place, notes_) ||
        !group.link.locator.usable()) {
      all = false;
      notes_.block_files(kOfPages, "a page list cannot be examined", {});
      continue;
    }
    Envelope& bytes = kept[i];
    bytes = read_envelope(*context_, extent_of(group.link), EnvelopeType::kPageList, i, path);
    if (!bytes.usable) {
      all = false;
      notes_.block_files(kOfPages, path.text() + ": " + bytes.reason, {});
      continue;
    }
    Cursor cursor(bytes.bytes, bytes.offset, path, read_.anchor.later_draft(), notes_);
    cursor.go(kPayload);
    cursor.bound(bytes.payload_end());
    read_page_list(cursor, *context_, header_bytes_.checksum(), schema_, footer_, list);
    all &= list.entries_known;
    if (list.entries_known) judge_cluster_group(group, list, place, notes_);
    if (!list.usable) notes_.block_files(kOfPages, path.text() + " cannot be read to its end", {});
    for (const Cluster& each : list.clusters) {
      entries_ = std::max(entries_, sum(each.first_entry, each.entries));
      if (list.usable && !each.pages_known)
        notes_.block_files({"pages.cpp", "clusters.cpp"},
                           "the pages of a cluster cannot be examined", {});
    }
    if (options_.examine.depth == Depth::kFull) clusters_->examine(list, path, i, bytes.offset);
    if (keep_pages_) continue;
    // Only the summaries are needed further.
    bytes.bytes = {};
    list.pages = {};
    for (Cluster& each : list.clusters) each.chunks = {};
  }
  if (all)
    judge_partition(lists, footer_, schema_, path_, notes_);
  else
    notes_.blocked("rntuple-clusters-partition-entries", "a page list is not known");
  if (!keep_pages_) return;
  lists_ = std::move(lists);
  list_bytes_ = std::move(kept);
}

void Examination::read_metadata_of(const Link& link, std::uint32_t number) {
  const Path path{.up = &path_, .kind = "metadata", .index = number};
  if (!link.locator.usable()) {
    notes_.block_files(kOfMetadata, "metadata that are not in the file", {});
    return;
  }
  Envelope bytes = read_envelope(*context_, extent_of(link), EnvelopeType::kMetadata, number, path);
  if (!bytes.usable) {
    notes_.block_files(kOfMetadata, path.text() + ": " + bytes.reason, {});
    return;
  }
  Cursor cursor(bytes.bytes, bytes.offset, path, read_.anchor.later_draft(), notes_);
  cursor.go(kPayload);
  cursor.bound(bytes.payload_end());
  Metadata read;
  if (!read_metadata(cursor, header_.writer, read))
    notes_.block_files(kOfMetadata, path.text() + " cannot be read to its end", {});
  if (!keep_pages_) return;
  metadata_.push_back(std::move(read));
  metadata_bytes_.push_back(std::move(bytes));
}

}  // namespace hepcheck::rntuple
