#include "validator/formats/rntuple/write_envelope.h"

#include <xxhash.h>

#include <cstring>
#include <ranges>
#include <string_view>

namespace hepcheck::rntuple {

namespace {

class Writer {
 public:
  template <class T>
  void number(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void put(ByteSpan bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void string(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    put(std::as_bytes(std::span(text)));
  }
  template <class Body>
  void record(const Body& body) {
    const std::size_t at = bytes_.size();
    number(std::int64_t{0});
    body();
    patch(at, static_cast<std::int64_t>(bytes_.size() - at));
  }
  template <class Body>
  void list(std::size_t items, const Body& body) {
    const std::size_t at = bytes_.size();
    number(std::int64_t{0});
    number(static_cast<std::uint32_t>(items));
    body();
    patch(at, -static_cast<std::int64_t>(bytes_.size() - at));
  }
  void locator(const Locator& it) {
    if (it.on_disk) {
      number(static_cast<std::uint32_t>(it.size));
      number(it.offset);
    } else {
      number(~it.word + 1);
      put(it.payload);
    }
  }
  // Preamble and checksum around the payload that was written.
  std::vector<std::byte> envelope(EnvelopeType type) && {
    Writer made;
    made.number(static_cast<std::uint64_t>(type) | (bytes_.size() + 16) << 16);
    made.put(bytes_);
    made.number(std::uint64_t{XXH3_64bits(made.bytes_.data(), made.bytes_.size())});
    return std::move(made.bytes_);
  }

 private:
  void patch(std::size_t at, std::int64_t size) {
    std::memcpy(bytes_.data() + at, &size, sizeof size);
  }

  std::vector<std::byte> bytes_{};
};

void write_field(Writer& into, const Field& it) {
  into.number(it.field_version);
  into.number(it.type_version);
  into.number(it.parent);
  into.number(it.role);
  into.number(it.flags);
  if (it.repetitive()) into.number(it.array_size);
  into.put(it.later);
  for (const std::string_view text : {it.name, it.type, it.alias, it.description})
    into.string(text);
  into.put(it.surplus);
}

void write_column(Writer& into, const Column& it) {
  into.number(it.type);
  into.number(it.bits);
  into.number(it.field);
  into.number(it.stored_flags);
  if (it.deferred()) into.number(it.suppressed_first ? ~it.first + 1 : it.first);
  into.put(it.surplus);
}

void write_alias(Writer& into, const Alias& it) {
  into.number(it.column);
  into.number(it.field);
  into.put(it.surplus);
}

void write_extra(Writer& into, const ExtraType& it) {
  for (const std::uint32_t number : it.numbers) into.number(number);
  into.string(it.type);
  into.put(it.surplus);
}

void write_lists(Writer& into, const Schema& schema, bool extension) {
  const SchemaLists& lists = extension ? schema.of_extension : schema.of_header;
  int number = 0;
  const auto next = [&](const auto& all, const auto& write) {
    if (number >= lists.count) return;
    auto own = all | std::views::filter([&](const auto& it) { return it.extension == extension; });
    into.list(static_cast<std::size_t>(std::ranges::distance(own)), [&] {
      for (const auto& each : own) into.record([&] { write(into, each); });
      into.put(lists.tails[number]);
    });
    ++number;
  };
  next(schema.fields, write_field);
  next(schema.columns, write_column);
  next(schema.aliases, write_alias);
  next(schema.extra_types, write_extra);
}

void write_chunk(Writer& into, const PageList& list, const ColumnChunk& chunk) {
  into.list(chunk.pages, [&] {
    for (std::uint64_t p = chunk.first_page; p < chunk.first_page + chunk.pages; ++p) {
      const PageInfo& page = list.pages[p];
      into.number(page.checksum ? ~page.elements + 1 : page.elements);
      into.number(static_cast<std::uint32_t>(page.size));
      into.number(page.offset);
    }
    into.put(chunk.tail);
  });
}

}  // namespace

std::vector<std::byte> write_header(const Header& header, const Schema& schema) {
  Writer into;
  for (const std::uint64_t each : header.flags) into.number(each);
  for (const std::string_view text : {header.name, header.description, header.writer})
    into.string(text);
  write_lists(into, schema, false);
  into.put(header.surplus);
  return std::move(into).envelope(EnvelopeType::kHeader);
}

std::vector<std::byte> write_footer(const Footer& footer, const Schema& schema) {
  Writer into;
  for (const std::uint64_t each : footer.flags) into.number(each);
  into.number(footer.header_checksum);
  into.record([&] {
    write_lists(into, schema, true);
    into.put(footer.extension_surplus);
  });
  into.list(footer.column_groups.size(), [&] {
    for (const ColumnGroup& each : footer.column_groups)
      into.record([&] {
        into.list(each.columns.size(), [&] {
          for (const std::uint32_t id : each.columns) into.number(id);
          into.put(each.tail);
        });
        into.put(each.surplus);
      });
    into.put(footer.column_groups_tail);
  });
  into.list(footer.cluster_groups.size(), [&] {
    for (const ClusterGroup& each : footer.cluster_groups)
      into.record([&] {
        into.number(each.first_entry);
        into.number(each.entries);
        into.number(each.clusters);
        into.number(each.link.length);
        into.locator(each.link.locator);
        into.put(each.surplus);
      });
    into.put(footer.cluster_groups_tail);
  });
  if (footer.metadata_list)
    into.list(footer.metadata.size(), [&] {
      for (const Link& each : footer.metadata) {
        into.number(each.length);
        into.locator(each.locator);
      }
      into.put(footer.metadata_tail);
    });
  into.put(footer.surplus);
  return std::move(into).envelope(EnvelopeType::kFooter);
}

std::vector<std::byte> write_metadata(const Metadata& metadata) {
  Writer into;
  into.list(metadata.pairs.size(), [&] {
    for (const Pair& each : metadata.pairs)
      into.record([&] {
        into.number(each.type);
        into.string(each.key);
        const auto values = [&] {
          for (const ByteSpan value : each.values) {
            if (each.of_strings()) into.number(static_cast<std::uint32_t>(value.size()));
            into.put(value);
          }
          into.put(each.tail);
        };
        if (each.is_list())
          into.list(each.values.size(), values);
        else
          values();
        into.put(each.surplus);
      });
    into.put(metadata.tail);
  });
  into.put(metadata.surplus);
  return std::move(into).envelope(EnvelopeType::kMetadata);
}

std::vector<std::byte> write_page_list(const PageList& list) {
  Writer into;
  into.number(list.header_checksum);
  into.list(list.clusters.size(), [&] {
    for (const Cluster& each : list.clusters)
      into.record([&] {
        into.number(each.first_entry);
        into.number(each.entries | std::uint64_t{each.flags} << 60);
        if (each.group) into.number(*each.group);
        into.put(each.surplus);
      });
    into.put(list.summaries_tail);
  });
  into.list(list.clusters.size(), [&] {
    for (const Cluster& each : list.clusters)
      into.list(each.chunks.size(), [&] {
        for (const ColumnChunk& chunk : each.chunks) write_chunk(into, list, chunk);
        into.put(each.list_tail);
      });
    into.put(list.locations_tail);
  });
  into.put(list.surplus);
  return std::move(into).envelope(EnvelopeType::kPageList);
}

}  // namespace hepcheck::rntuple
