// Header and footer of an RNTuple (7.1, 7.2).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/formats/rntuple/envelope.h"
#include "validator/formats/rntuple/schema.h"

namespace hepcheck::rntuple {

struct Header {
  std::vector<std::uint64_t> flags{};
  std::string_view name{}, description{}, writer{};
  bool complete = false;  // it was read to its end
  ByteSpan surplus{};     // behind the lists
};

// Reads the header; its schema goes to `schema`. False if the rest cannot be read.
bool read_header(Cursor& cursor, std::string_view key_name, Header& into, Schema& schema);

struct ColumnGroup {
  std::vector<std::uint32_t> columns{};
  std::uint64_t at = 0;
  ByteSpan tail{}, surplus{};  // of its list, and behind it
};

struct ClusterGroup {
  std::uint64_t first_entry = 0, entries = 0;
  std::uint32_t clusters = 0;
  Link link{};
  std::uint64_t at = 0;
  ByteSpan surplus{};
};

struct Footer {
  std::vector<std::uint64_t> flags{};
  std::uint64_t header_checksum = 0;
  std::vector<ColumnGroup> column_groups{};
  std::vector<ClusterGroup> cluster_groups{};
  std::vector<Link> metadata{};
  bool complete = false;  // it was read to its end
  bool metadata_list = false;
  ByteSpan extension_surplus{}, column_groups_tail{}, cluster_groups_tail{}, metadata_tail{},
      surplus{};
  bool belongs = false;      // to the header
  bool schema_read = false;  // the extension was read to its end
};

// Reads the footer; the schema extension goes to `schema`. False if the rest cannot be read.
bool read_footer(Cursor& cursor, std::uint64_t header_checksum, Footer& into, Schema& schema);
// Judges the ids of the column groups, when the number of columns is known.
void judge_column_groups(const Footer& footer, const Schema& schema, Notes& notes);

void footer_rules(RuleList& list);

}  // namespace hepcheck::rntuple
