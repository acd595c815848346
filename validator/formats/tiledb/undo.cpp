// Undoes the filters of chunks, the last one first.        [filter_pipeline.md and filters/*.md]
//
// Each filter takes its own table from the front of the metadata; what is left of it are the
// metadata of the filters before.
#include <algorithm>
#include <format>

#include "validator/budget.h"
#include "validator/codec/codec.h"
#include "validator/codec/digest.h"
#include "validator/formats/tiledb/datatype.h"
#include "validator/formats/tiledb/tile.h"
#include "validator/formats/tiledb/undo_values.h"

namespace hepcheck::tiledb {

namespace {

// The table of a filter at the front of the metadata.
struct PartTable {
  std::string_view filter{};
  std::uint64_t parts = 0;     // as stated, metadata parts and data parts
  std::uint64_t need = 0;      // bytes of the table
  std::uint64_t metadata = 0;  // bytes that are there
  bool lengths_fit = true;     // the lengths in it fit what they are about
  std::uint64_t total = 0, data = 0;
};

void table_fits(const PartTable& it, Look& look) {
  look.ask(
      it.need <= it.metadata && it.lengths_fit,
      [&] {
        return it.need <= it.metadata
                   ? std::format("lengths of {} parts that exceed their bytes", it.parts)
                   : std::format("a table of {} parts in {} bytes of metadata", it.parts,
                                 it.metadata);
      },
      [&] { return std::format("a table that fits, {} bytes", it.need); });
}

constexpr LookRule kCompressTable("tiledb-compress-part-table", table_fits);
constexpr LookRule kChecksumTable("tiledb-checksum-table", table_fits);

constexpr LookRule kPartsFill("tiledb-compress-parts-fill-data", [](const PartTable& it,
                                                                    Look& look) {
  look.ask(
      it.total == it.data,
      [&] { return std::format("parts of {} bytes in {} bytes of data", it.total, it.data); },
      "parts that take up the data");
});

constexpr LookRule kCovers("tiledb-checksum-covers-input", [](const PartTable& it, Look& look) {
  look.ask(
      it.total == it.data,
      [&] { return std::format("digests of {} bytes of {}", it.total, it.data); },
      "digests of all bytes");
});

// One compressed part.
struct CompressedPart {
  std::uint64_t original = 0, size = 0;
  std::uint64_t decoded = 0, taken = 0;
  std::string error{};
  bool has_end = false;  // the codec knows where its stream ends
};

constexpr LookRule kPartDecodes("tiledb-compress-part-decodes", [](const CompressedPart& it,
                                                                   Look& look) {
  look.ask(
      it.error.empty() && it.decoded == it.original,
      [&] {
        if (!it.error.empty()) return it.error;
        return it.decoded > it.original ? std::format("more than {} bytes", it.original)
                                        : std::format("{} bytes", it.decoded);
      },
      [&] { return std::format("a part that decodes to {} bytes", it.original); });
});
constexpr LookRule kPartEnds("tiledb-compress-part-ends", [](const CompressedPart& it, Look& look) {
  if (!it.has_end) return;
  look.ask(
      it.taken == it.size,
      [&] { return std::format("{} bytes behind the end of the stream", it.size - it.taken); },
      "a stream that ends with its part");
});

struct Digest {
  std::string stored{}, computed{};
};
void digest_right(const Digest& it, Look& look) {
  look.ask(
      it.stored == it.computed, [&] { return it.stored; },
      [&] { return it.computed + ", that of the bytes"; });
}
constexpr LookRule kMd5Right("tiledb-checksum-md5", digest_right);
constexpr LookRule kSha256Right("tiledb-checksum-sha256", digest_right);

struct Shuffled {
  std::uint64_t parts = 0, metadata = 0, total = 0, data = 0;
};
constexpr LookRule kShuffleParts("tiledb-shuffle-parts", [](const Shuffled& it, Look& look) {
  const bool fit = sum(4, product(it.parts, 4)) <= it.metadata;
  look.ask(
      fit && it.total == it.data,
      [&] {
        return fit ? std::format("parts of {} bytes in {} bytes of data", it.total, it.data)
                   : std::format("{} parts in {} bytes of metadata", it.parts, it.metadata);
      },
      "the lengths of parts that take up the data");
});

struct Encrypted {
  std::uint64_t parts = 0, metadata = 0, total = 0, data = 0;
  bool equal = true;  // encrypted and plain lengths
};
constexpr LookRule kEncryptTable("tiledb-encrypt-part-table", [](const Encrypted& it, Look& look) {
  const bool fit = sum(8, product(it.parts, 36)) == it.metadata;
  look.ask(
      fit && it.total == it.data && it.equal,
      [&] {
        if (!fit) return std::format("{} parts in {} bytes of metadata", it.parts, it.metadata);
        return it.equal ? std::format("parts of {} bytes in {} bytes of data", it.total, it.data)
                        : std::string("a part whose encrypted length is not its plain length");
      },
      "a table of 36 bytes a part, whose parts take up the data and keep their lengths");
});

struct Outcome {
  std::uint64_t chunk_original = 0, decoded = 0, left = 0, filtered = 0, metadata = 0;
};
constexpr LookRule kOriginalLength("tiledb-chunk-original-length", [](const Outcome& it,
                                                                      Look& look) {
  look.ask(
      it.decoded == it.chunk_original, [&] { return std::format("{} bytes", it.decoded); },
      [&] { return std::format("the original length, {}", it.chunk_original); });
});
constexpr LookRule kConsumed("tiledb-chunk-metadata-consumed", [](const Outcome& it, Look& look) {
  look.ask(
      it.left == 0, [&] { return std::format("{} bytes of metadata are left", it.left); },
      "metadata that the filters take up");
});
constexpr LookRule kIdentity("tiledb-chunk-identity-without-filters", [](const Outcome& it,
                                                                         Look& look) {
  look.ask(
      it.metadata == 0 && it.filtered == it.chunk_original,
      [&] {
        return std::format("{} bytes of metadata, {} of data for {}", it.metadata, it.filtered,
                           it.chunk_original);
      },
      "the original bytes and no metadata");
});

// --- Undoing
// --------------------------------------------------------------------------------------

using Held = std::vector<std::byte>;
using View = std::span<const std::byte>;

// One chunk on its way back through the filters.
class Undoing {
 public:
  Undoing(const Tile& tile, const Chunk& chunk, const Source& source, std::uint64_t index,
          View file, std::uint64_t most, Budget& budget, Notes& notes)
      : tile_(tile), chunk_(chunk), most_(most), budget_(budget), notes_(notes) {
    place_ = {.source = &source, .path = &path_, .byte = chunk.at};
    path_ = {.up = &tile_path_, .kind = "chunk", .index = index};
    metadata_ = file.subspan(chunk.metadata_at, chunk.metadata);
    data_ = file.subspan(chunk.data_at, chunk.filtered);
  }

  // Returns false, with the reason in `stop`, if the bytes cannot be had.
  bool run() {
    if (tile_.pipeline.empty()) return judge<kIdentity>(outcome(), place_, notes_) || failed();
    bool table_failed = false;
    for (std::size_t i = tile_.pipeline.filters.size(); i-- > 0;) {
      const Filter& filter = tile_.pipeline.filters[i];
      const Path step{.up = &path_, .kind = "filter", .index = i, .name = filter_name(filter.type)};
      place_.path = &step;
      const bool done = undo(filter);
      place_.path = &path_;
      if (!done) return false;
      table_failed |= table_failed_;
    }
    if (!table_failed) judge_each<kConsumed>(outcome(), place_, notes_);
    judge_each<kOriginalLength>(outcome(), place_, notes_);
    return true;
  }

  View data() const { return data_; }
  const Stop& stop() const { return stop_; }
  bool changed() const { return changed_; }

 private:
  Outcome outcome() const {
    return {.chunk_original = chunk_.original,
            .decoded = data_.size(),
            .left = metadata_.size() + left_behind_,
            .filtered = chunk_.filtered,
            .metadata = chunk_.metadata};
  }
  bool failed() {
    stop_ = {true, notes_.last(), "a chunk cannot be decoded"};
    return false;
  }
  bool not_undone(std::string reason) {
    stop_ = {true, {}, std::move(reason)};
    return false;
  }

  bool undo(const Filter& filter) {
    if (filter.type == kNoFilter) return true;
    if (filter.type >= kGzip && filter.type <= kBzip2) return decompress(filter.type);
    if (filter.type == kMd5 || filter.type == kSha256) return check_digests(filter.type);
    if (filter.type == kByteshuffle || filter.type == kBitshuffle) return unshuffle(filter.type);
    if (filter.type == kEncryption) {
      look_at_encryption();
      return not_undone("it is encrypted");
    }
    if (filter.type == kDelta || filter.type == kPositiveDelta || filter.type == kBitWidth)
      return undo_values(filter);
    return not_undone(std::format("the filter {} is not undone", filter_name(filter.type)));
  }

  // --- Filters over values, which no known writer applies to a schema. What is not laid out as
  // their pages have it is no finding: it stays unknown.
  bool undo_values(const Filter& filter) {
    std::uint8_t datatype = tile_.datatype;
    constexpr std::size_t kReinterpreted = 5;
    if (filter.type == kDelta && filter.options.size() > kReinterpreted) {
      const auto other = std::to_integer<std::uint8_t>(filter.options[kReinterpreted]);
      if (other != kAny) datatype = other;
    }
    const unsigned width = width_of(datatype);
    std::optional<Values> made;
    if (width == 1 || is_integral(datatype))
      made = filter.type == kDelta           ? undo_delta(metadata_, data_, width)
             : filter.type == kPositiveDelta ? undo_positive_delta(metadata_, data_, width)
                                             : undo_bit_width(metadata_, data_, width, most_);
    if (!made)
      return not_undone(std::format("the filter {} is not undone", filter_name(filter.type)));
    if (!budget_.spend(made->data.size() + made->metadata.size()))
      return not_undone("it decodes to more than the limit");
    data_held_ = std::move(made->data);
    metadata_held_ = std::move(made->metadata);
    data_ = data_held_;
    metadata_ = metadata_held_;
    changed_ = true;
    return true;
  }

  // --- Compression
  bool decompress(std::uint8_t type) {
    PartTable table{
        .filter = filter_name(type), .metadata = metadata_.size(), .data = data_.size()};
    std::uint64_t metadata_parts = 0;
    table.need = 8;
    if (metadata_.size() >= 8) {
      metadata_parts = load<std::uint32_t>(metadata_.data());
      table.parts = metadata_parts + load<std::uint32_t>(metadata_.data() + 4);
      table.need = sum(8, product(table.parts, 8));
    }
    if (!judge<kCompressTable>(table, place_, notes_)) return table_broken();
    for (std::uint64_t i = 0; i < table.parts; ++i)
      table.total = sum(table.total, load<std::uint32_t>(metadata_.data() + 12 + 8 * i));
    judge_each<kPartsFill>(table, place_, notes_);
    if (table.total > table.data) return failed();
    left_behind_ += metadata_.size() - table.need;
    Held metadata, data;
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < table.parts; ++i) {
      const std::uint64_t original = load<std::uint32_t>(metadata_.data() + 8 + 8 * i);
      const std::uint64_t size = load<std::uint32_t>(metadata_.data() + 12 + 8 * i);
      const Path path{.up = place_.path, .kind = "part", .index = i, .name = {}};
      if (!decode(type, data_.subspan(at, size), original, path,
                  i < metadata_parts ? metadata : data))
        return false;
      at += size;
    }
    metadata_held_ = std::move(metadata);
    data_held_ = std::move(data);
    metadata_ = metadata_held_;
    data_ = data_held_;
    changed_ = true;
    return true;
  }

  bool decode(std::uint8_t type, View bytes, std::uint64_t original, const Path& path, Held& into) {
    CompressedPart part{
        .original = original, .size = bytes.size(), .has_end = type != kLz4 && type != kRle};
    const std::uint64_t bound = std::min(budget_.left(), most_);
    const std::uint64_t most = std::min(original + 1, bound);
    codec::Decoded made = decode(type, bytes, most);
    const bool beyond = !made.ended && made.error.empty() && made.size >= bound;
    if (beyond && bound <= original) return not_undone("it decodes to more than the limit");
    part.error = std::move(made.error);
    part.decoded = made.size;
    part.taken = made.taken;
    if (part.error.empty() && !made.ended && made.size <= original) part.error = "it is cut short";
    Place at = place_;
    at.path = &path;
    if (digest_wrong_ && (!part.error.empty() || part.decoded != part.original))
      return not_undone("a digest is wrong, and the part does not decode");
    if (!judge<kPartDecodes>(part, at, notes_)) return failed();
    judge_each<kPartEnds>(part, at, notes_);
    budget_.spend(made.size);
    const View decoded = output_.first(made.size);
    into.insert(into.end(), decoded.begin(), decoded.end());
    return true;
  }

  codec::Decoded decode(std::uint8_t type, View bytes, std::uint64_t most) {
    switch (type) {
      case kGzip: return codec::zlib(bytes, most, output_);
      case kZstd: return codec::zstd(bytes, {.most = most, .output = &output_});
      case kLz4: return codec::lz4_block(bytes, most, output_);
      case kBzip2: return codec::bzip2(bytes, {.most = most, .output = &output_});
      default: return run_lengths(bytes, most);
    }
  }

  // Runs of one cell, and a count of two bytes, the high one first.
  codec::Decoded run_lengths(View bytes, std::uint64_t most) {
    const std::uint64_t cell = tile_.cell_size, step = sum(cell, 2);
    if (cell == 0) return {.error = "cells of no bytes"};
    if (bytes.size() % step != 0)
      return {.error = std::format("{} bytes are no runs of {} bytes", bytes.size(), step)};
    std::uint64_t total = 0;
    for (std::uint64_t at = 0; at < bytes.size(); at += step)
      total = sum(total,
                  product(cell, load<std::uint16_t>(bytes.data() + at + cell, std::endian::big)));
    if (total > most) return {.size = most};
    const auto output = output_.take(total);
    std::uint64_t put = 0;
    for (std::uint64_t at = 0; at < bytes.size(); at += step)
      for (unsigned n = load<std::uint16_t>(bytes.data() + at + cell, std::endian::big); n > 0;
           --n) {
        std::ranges::copy(bytes.subspan(at, cell),
                          output.begin() + static_cast<std::ptrdiff_t>(put));
        put += cell;
      }
    return {.size = total, .taken = bytes.size(), .ended = true};
  }

  // --- Digests
  bool check_digests(std::uint8_t type) {
    const std::uint64_t width = type == kMd5 ? 16 : 32, entry = 8 + width;
    PartTable table{.filter = filter_name(type), .metadata = metadata_.size()};
    std::uint64_t metadata_parts = 0;
    table.need = 8;
    if (metadata_.size() >= 8) {
      metadata_parts = load<std::uint32_t>(metadata_.data());
      table.parts = metadata_parts + load<std::uint32_t>(metadata_.data() + 4);
      table.need = sum(8, product(table.parts, entry));
    }
    if (table.need <= table.metadata) {
      std::uint64_t sums[2] = {};
      for (std::uint64_t i = 0; i < table.parts; ++i) {
        auto& total = sums[i < metadata_parts ? 0 : 1];
        total = sum(total, load<std::uint64_t>(metadata_.data() + 8 + entry * i));
      }
      const std::uint64_t rest = metadata_.size() - table.need;
      table.lengths_fit = sums[0] <= rest && sums[1] <= data_.size();
      table.total = sum(sums[0], sums[1]);
      table.data = rest + data_.size();
    }
    if (!judge<kChecksumTable>(table, place_, notes_)) return table_broken();
    judge_each<kCovers>(table, place_, notes_);
    const View entries = metadata_.subspan(8, table.need - 8);
    metadata_ = metadata_.subspan(table.need);
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < table.parts; ++i) {
      if (i == metadata_parts) at = 0;
      const View one = entries.subspan(entry * i, entry);
      const std::uint64_t length = load<std::uint64_t>(one.data());
      const View bytes = (i < metadata_parts ? metadata_ : data_).subspan(at, length);
      at += length;
      if (!budget_.spend(length)) return not_undone("its digests cover more than the limit");
      const Digest digest{.stored = hexadecimal(one.subspan(8), width),
                          .computed = type == kMd5 ? md5(bytes) : sha256(bytes)};
      const bool right = type == kMd5 ? judge_each<kMd5Right>(digest, place_, notes_)
                                      : judge_each<kSha256Right>(digest, place_, notes_);
      digest_wrong_ |= !right;
    }
    return true;
  }

  // --- Shuffling
  bool unshuffle(std::uint8_t type) {
    Shuffled it{.metadata = metadata_.size(), .data = data_.size()};
    std::vector<std::uint32_t> lengths;
    it.parts = metadata_.size() < 4 ? kLargestNumber : load<std::uint32_t>(metadata_.data());
    if (it.parts <= (metadata_.size() - std::min<std::uint64_t>(4, metadata_.size())) / 4)
      for (std::uint64_t i = 0; i < it.parts; ++i) {
        lengths.push_back(load<std::uint32_t>(metadata_.data() + 4 + 4 * i));
        it.total = sum(it.total, lengths.back());
      }
    if (!judge<kShuffleParts>(it, place_, notes_)) return table_broken();
    metadata_ = metadata_.subspan(4 + 4 * it.parts);
    if (type == kBitshuffle) return not_undone("the filter bitshuffle is not undone");
    const unsigned width = width_of(tile_.datatype);
    if (width == 0) return not_undone("the width of the tile's datatype is unknown");
    if (width == 1) return true;
    Held data(data_.begin(), data_.end());
    std::uint64_t at = 0;
    for (const std::uint32_t length : lengths) {
      const std::uint64_t count = length / width;
      for (std::uint64_t i = 0; i < count; ++i)
        for (unsigned j = 0; j < width; ++j) data[at + i * width + j] = data_[at + j * count + i];
      at += length;
    }
    data_held_ = std::move(data);
    data_ = data_held_;
    changed_ = true;
    return true;
  }

  void look_at_encryption() {
    Encrypted it{.metadata = metadata_.size(), .data = data_.size()};
    it.parts = kLargestNumber;
    if (metadata_.size() >= 8)
      it.parts = std::uint64_t{load<std::uint32_t>(metadata_.data())} +
                 load<std::uint32_t>(metadata_.data() + 4);
    if (sum(8, product(it.parts, 36)) == metadata_.size())
      for (std::uint64_t i = 0; i < it.parts; ++i) {
        const auto plain = load<std::uint32_t>(metadata_.data() + 8 + 36 * i);
        const auto encrypted = load<std::uint32_t>(metadata_.data() + 12 + 36 * i);
        it.total = sum(it.total, encrypted);
        it.equal &= plain == encrypted;
      }
    judge_each<kEncryptTable>(it, place_, notes_);
  }

  bool table_broken() {
    table_failed_ = true;
    return failed();
  }

  const Tile& tile_;
  const Chunk& chunk_;
  std::uint64_t most_;  // bytes of a decoded part
  Budget& budget_;
  Notes& notes_;
  const Path tile_path_{.kind = "tile"};
  Path path_{};
  Place place_{};
  View metadata_{}, data_{};
  Held metadata_held_{}, data_held_{};
  Slab output_{};
  std::uint64_t left_behind_ = 0;
  bool table_failed_ = false, digest_wrong_ = false, changed_ = false;
  Stop stop_{};
};

}  // namespace

void undo_rules(RuleList& list) {
  list.structure<kCompressTable, kPartsFill, kPartDecodes, kPartEnds, kChecksumTable, kCovers,
                 kMd5Right, kSha256Right, kShuffleParts, kEncryptTable, kOriginalLength, kConsumed,
                 kIdentity>();
}

void block_undoing(const Stop& stop, Notes& notes) {
  block_behind<kCompressTable, kPartsFill, kPartDecodes, kPartEnds, kChecksumTable, kCovers,
               kMd5Right, kSha256Right, kShuffleParts, kEncryptTable, kOriginalLength, kConsumed,
               kIdentity>(stop, notes);
}

void decode_chunks(const Limits& limits, Notes& notes, Opened& into) {
  constexpr std::uint64_t kMostFilters = 32, kRatio = 256;
  const Tile& tile = into.tile;
  into.decoded = false;
  if (tile.pipeline.filters.size() > kMostFilters) {
    into.stop = {
        true, {}, std::format("a tile with more than {} filters is not decoded", kMostFilters)};
    return block_undoing(into.stop, notes);
  }
  // What decoding may take, whatever the lengths say.
  const std::uint64_t most =
      std::min(limits.block_bytes, sum(product(into.file.size(), kRatio), std::uint64_t{1} << 20));
  Budget budget(product(most, 4));
  bool whole = true;
  for (std::size_t i = 0; i < tile.chunks.size(); ++i) {
    Undoing chunk(tile, tile.chunks[i], into.source, i, into.file, most, budget, notes);
    if (!chunk.run()) {
      if (whole) into.stop = chunk.stop();
      whole = false;
      continue;
    }
    if (!whole) continue;
    if (into.content.size() + chunk.data().size() > most) {
      into.stop = {true, {}, std::format("it decodes to more than the limit of {} bytes", most)};
      whole = false;
      continue;
    }
    into.source.pieces.push_back({.begin = into.content.size(),
                                  .stored = tile.chunks[i].data_at,
                                  .as_stored = !chunk.changed()});
    into.content.insert(into.content.end(), chunk.data().begin(), chunk.data().end());
  }
  into.decoded = whole;
  if (whole) into.stop = {};
}

}  // namespace hepcheck::tiledb
