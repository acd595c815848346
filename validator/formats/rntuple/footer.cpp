#include "validator/formats/rntuple/footer.h"

#include <algorithm>
#include <format>
#include <unordered_set>

#include "validator/formats/rntuple/rule.h"

namespace hepcheck::rntuple {

namespace {

// --- 7.1: the header -----------------------------------------------------------------------------

struct HeaderLists {
  int lists;
};
constexpr Rule kHeaderElements("rntuple-header-elements", [](const HeaderLists& it, Look& look) {
  look.ask(
      it.lists == kSchemaLists, [&] { return std::format("{} lists", it.lists); },
      "lists of fields, columns, aliases and extra types");
});

struct NtupleName {
  std::string_view header, key;
};
constexpr Rule kName("rntuple-header-name-matches-key", [](const NtupleName& it, Look& look) {
  look.ask(
      it.header == it.key, [&] { return std::format("\"{}\"", it.header); },
      [&] { return std::format("\"{}\", as the key says", it.key); });
});

// --- 7.2: the footer -----------------------------------------------------------------------------

struct FooterParts {
  int parts;
};
constexpr Rule kFooterElements("rntuple-footer-elements", [](const FooterParts& it, Look& look) {
  constexpr std::string_view kParts[] = {"the header checksum", "the schema extension",
                                         "the list of column groups", "the list of cluster groups"};
  look.ask(
      it.parts == 4, [&] { return std::format("a footer that ends before {}", kParts[it.parts]); },
      "all parts of the footer");
});

struct CrossCheck {
  std::uint64_t stated, header;
};
constexpr Rule kHeaderChecksum("rntuple-footer-header-checksum", [](const CrossCheck& it,
                                                                    Look& look) {
  look.ask(
      it.stated == it.header, [&] { return std::format("{:#018x}", it.stated); },
      [&] { return std::format("{:#018x}, the checksum of the header", it.header); });
});

struct MetadataLinks {
  bool there;
};
constexpr Rule kMetadataList("rntuple-footer-metadata-list",
                             [](const MetadataLinks& it, Look& look) {
                               look.ask(it.there, "a footer that ends after the cluster groups",
                                        "a list of links to user metadata");
                             });
constexpr Rule kNoMetadataList("rntuple-dialect-no-metadata-list",
                               [](const MetadataLinks& it, Look& look) {
                                 look.ask(it.there, "a footer without the list, as in later drafts",
                                          "a list of links to user metadata");
                               });

struct ExtensionLists {
  int lists;
};
constexpr Rule kExtension("rntuple-schema-extension-lists", [](const ExtensionLists& it,
                                                               Look& look) {
  look.ask(
      it.lists == 0 || it.lists == kSchemaLists, [&] { return std::format("{} lists", it.lists); },
      "no list or four");
});

// --- 7.2.2: column groups ------------------------------------------------------------------------

struct GroupOfColumns {
  const ColumnGroup& group;
  std::uint64_t columns;
};

void group_ids(const GroupOfColumns& it, Look& look) {
  const auto bad =
      std::ranges::find_if(it.group.columns, [&](std::uint32_t id) { return id >= it.columns; });
  look.ask(
      bad == it.group.columns.end(), [&] { return std::format("column {}", *bad); },
      [&] { return std::format("one of {} physical columns", it.columns); });
}

void group_unique(const GroupOfColumns& it, Look& look) {
  std::unordered_set<std::uint32_t> seen;
  const auto twice = std::ranges::find_if(
      it.group.columns, [&](std::uint32_t id) { return !seen.insert(id).second; });
  look.ask(
      twice == it.group.columns.end(), [&] { return std::format("column {} twice", *twice); },
      "different columns");
}

constexpr Rule<GroupOfColumns> kGroups[] = {
    {"rntuple-column-group-ids", group_ids},
    {"rntuple-column-group-unique-ids", group_unique},
};

bool read_column_group(Cursor& cursor, ColumnGroup& into) {
  into.at = cursor.at();
  Frame list;
  if (!cursor.frame(true, 4, list)) return false;
  const Inside inside(cursor, list, cursor.path());
  for (std::uint32_t i = 0; i < list.items; ++i)
    into.columns.push_back(cursor.number<std::uint32_t>());
  into.tail = cursor.rest();
  return true;
}

bool read_cluster_group(Cursor& cursor, ClusterGroup& into) {
  into.at = cursor.at();
  if (!cursor.fixed(20, "a cluster group")) return false;
  into.first_entry = cursor.number<std::uint64_t>();
  into.entries = cursor.number<std::uint64_t>();
  into.clusters = cursor.number<std::uint32_t>();
  return cursor.link(into.link);
}

template <class T, class Read>
bool read_records(Cursor& cursor, std::string_view kind, std::vector<T>& into, ByteSpan& tail,
                  const Read& read) {
  Frame list;
  if (!cursor.frame(true, kLeastRecord, list)) return false;
  const Path& outer = cursor.path();
  const Inside inside(cursor, list, outer);
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(kLeastRecord, list, i)) return false;
    const Path path{.up = &outer, .kind = kind, .index = i};
    Frame record;
    if (!cursor.frame(false, 0, record)) return false;
    const Inside one(cursor, record, path);
    T made{};
    if (!read(cursor, made)) return false;
    made.surplus = cursor.rest();
    into.push_back(std::move(made));
  }
  tail = cursor.rest();
  return true;
}

// Links are bare: they have no frame of their own.
bool read_metadata_links(Cursor& cursor, std::vector<Link>& into, ByteSpan& tail) {
  Frame list;
  if (!cursor.frame(true, 12, list)) return false;
  const Inside inside(cursor, list, cursor.path());
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(12, list, i)) return false;
    const bool on_disk = load<std::int32_t>(cursor.bytes().data() + cursor.at() + 8) >= 0;
    if (on_disk && !cursor.item(20, list, i)) return false;
    Link link;
    if (!cursor.link(link)) return false;
    into.push_back(link);
  }
  tail = cursor.rest();
  return true;
}

}  // namespace

bool read_header(Cursor& cursor, std::string_view key_name, Header& into, Schema& schema) {
  if (!cursor.flags(into.flags)) return false;
  const std::uint64_t name_at = cursor.at();
  if (!cursor.string(into.name)) return false;
  judge<kName>(NtupleName{into.name, key_name}, cursor.place(name_at), cursor.notes());
  if (!cursor.string(into.description) || !cursor.string(into.writer)) return false;
  if (!read_lists(cursor, false, schema)) return false;
  into.complete =
      judge<kHeaderElements>(HeaderLists{schema.of_header.count}, cursor.place(), cursor.notes());
  into.surplus = cursor.rest();
  return into.complete;
}

bool read_footer(Cursor& cursor, std::uint64_t header_checksum, Footer& into, Schema& schema) {
  Notes& notes = cursor.notes();
  if (!cursor.flags(into.flags)) return false;
  const auto part = [&](int parts) {
    return cursor.left() >= kLeastRecord ||
           judge<kFooterElements>(FooterParts{parts}, cursor.place(), notes);
  };
  if (!part(0)) return false;
  const std::uint64_t checksum_at = cursor.at();
  into.header_checksum = cursor.number<std::uint64_t>();
  into.belongs = judge<kHeaderChecksum>(CrossCheck{into.header_checksum, header_checksum},
                                        cursor.place(checksum_at), notes);
  if (!part(1)) return false;
  Frame extension;
  if (!cursor.frame(false, 0, extension)) return false;
  {
    const Inside inside(cursor, extension, cursor.path());
    if (!read_lists(cursor, true, schema)) return false;
    if (!judge<kExtension>(ExtensionLists{schema.of_extension.count}, cursor.place(extension.begin),
                           notes))
      return false;
    into.extension_surplus = cursor.rest();
  }
  into.schema_read = true;
  if (!part(2) || !read_records(cursor, "column group", into.column_groups, into.column_groups_tail,
                                read_column_group))
    return false;
  if (!part(3) || !read_records(cursor, "cluster group", into.cluster_groups,
                                into.cluster_groups_tail, read_cluster_group))
    return false;
  judge<kFooterElements>(FooterParts{4}, cursor.place(), notes);
  const MetadataLinks links{cursor.left() >= kLeastRecord};
  if (!cursor.later_draft())
    judge<kMetadataList>(links, cursor.place(), notes);
  else
    judge<kNoMetadataList>(links, cursor.place(), notes);
  into.metadata_list = links.there;
  into.complete = !links.there || read_metadata_links(cursor, into.metadata, into.metadata_tail);
  into.surplus = cursor.rest();
  return into.complete;
}

void judge_column_groups(const Footer& footer, const Schema& schema, Notes& notes) {
  for (std::size_t i = 0; i < footer.column_groups.size(); ++i) {
    const ColumnGroup& group = footer.column_groups[i];
    const Path path{.up = schema.footer, .kind = "column group", .index = i};
    judge_each<kGroups>(GroupOfColumns{group, schema.columns.size()},
                        Place{.path = &path, .within = group.at}, notes);
  }
}

void footer_rules(RuleList& list) {
  list.structure<kHeaderElements, kName, kFooterElements, kHeaderChecksum, kMetadataList,
                 kNoMetadataList, kExtension, kGroups>();
}

}  // namespace hepcheck::rntuple
