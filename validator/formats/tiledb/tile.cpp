#include "validator/formats/tiledb/tile.h"

#include <algorithm>
#include <array>
#include <format>

#include "validator/formats/tiledb/datatype.h"

namespace hepcheck::tiledb {

namespace {

// --- What is looked at first
// ----------------------------------------------------------------------

struct FileStart {
  bool before_format = false;
  std::uint64_t size = 0;
};

constexpr LookRule kBeforeFormat("tiledb-file-pre-format", [](const FileStart& it, Look& look) {
  look.ask(!it.before_format, "an array schema of TileDB 1.3 or older, before format version 1",
           "a generic tile of version 1 or later");
});

constexpr LookRule kHeaderComplete("tiledb-tile-header-complete", fits);

struct Versions {
  std::uint32_t version = 0;
  std::string_view of{};  // "tile", "schema"
};

std::string swapped_hint(std::uint32_t version) {
  const std::uint32_t swapped = std::byteswap(version);
  if (swapped == 0 || swapped > kLastVersion) return {};
  return std::format("With its bytes in the other order it is {}: written big-endian?", swapped);
}

void version_newer(const Versions& it, Look& look) {
  look.looked();
  if (it.version > kLastVersion && it.version < kFirstExperimental)
    look.fail(std::format("{} version {}", it.of, it.version),
              std::format("a version up to {}, the last that this text describes", kLastVersion),
              swapped_hint(it.version));
}

void version_experimental(const Versions& it, Look& look) {
  look.looked();
  if (it.version >= kFirstExperimental)
    look.fail(std::format("{} version {:#x} of an experimental build", it.of, it.version),
              "a version of a release");
}

constexpr Rule<Versions> kVersionRules[] = {
    {"tiledb-schema-version-newer", version_newer},
    {"tiledb-schema-version-experimental", version_experimental},
};

// --- The header
// -----------------------------------------------------------------------------------

constexpr LookRule kPipelineFits("tiledb-tile-pipeline-fits", fits);
constexpr LookRule kPayloadComplete("tiledb-tile-payload-complete", fits);

void single_tile(const Tile& it, Look& look) {
  const std::uint64_t end = sum(it.payload_at(), it.persisted);
  look.at(end);
  look.ask(
      end >= it.file_size,
      [&] { return std::format("{} bytes behind the tile", it.file_size - end); },
      "a file that ends with its tile");
}

void version_known(const Tile& it, Look& look) {
  look.at(0);
  look.ask(it.version != 0, "version 0", "a version from 1 on");
}

void tile_datatype_known(const Tile& it, Look& look) {
  look.at(20);
  look.ask(
      is_known(it.datatype), [&] { return std::format("datatype {}", it.datatype); },
      "a datatype from 0 to 43");
}

void cell_size(const Tile& it, Look& look) {
  look.at(21);
  look.ask(
      it.cell_size > 0 && it.size % it.cell_size == 0,
      [&] { return std::format("cell size {}, tile size {}", it.cell_size, it.size); },
      "a cell size above 0 that divides the tile size");
}

void encryption_known(const Tile& it, Look& look) {
  look.at(29);
  look.ask(
      it.encryption <= 1, [&] { return std::format("encryption type {}", it.encryption); },
      "0 (none) or 1 (AES-256-GCM)");
}

constexpr Rule<Tile> kHeaderRules[] = {
    {"tiledb-tile-version-known", version_known},
    {"tiledb-tile-datatype-known", tile_datatype_known},
    {"tiledb-tile-cell-size", cell_size},
    {"tiledb-tile-encryption-known", encryption_known},
};

constexpr LookRule kSingleTile("tiledb-file-single-tile", single_tile);

constexpr LookRule kPipelineSize("tiledb-tile-pipeline-size", [](const Tile& it, Look& look) {
  look.at(30);
  look.ask(
      it.pipeline_used == it.pipeline_size,
      [&] {
        return std::format("a pipeline of {} bytes, stated are {}", it.pipeline_used,
                           it.pipeline_size);
      },
      "the size of the pipeline");
});

constexpr LookRule kEncryptionFilter("tiledb-tile-encryption-filter", [](const Tile& it,
                                                                         Look& look) {
  if (it.encryption > 1) return;
  const auto count = std::ranges::count(it.pipeline.filters, kEncryption, &Filter::type);
  const bool last = !it.pipeline.empty() && it.pipeline.filters.back().type == kEncryption;
  look.at(kHeaderSize);
  look.ask(
      it.encryption == 1 ? count == 1 && last : count == 0,
      [&] {
        return it.encryption == 0 ? "an encryption filter in a tile that is not encrypted"
               : count == 0       ? "no encryption filter in an encrypted tile"
                                  : "the encryption filter is not the last one";
      },
      "an encryption filter at the end exactly if the tile is encrypted");
});

// --- The chunks
// -----------------------------------------------------------------------------------

constexpr LookRule kCountPositive("tiledb-chunk-count-positive", [](const Tile& it, Look& look) {
  look.at(it.payload_at());
  look.ask(it.chunk_count > 0, "no chunk", "at least one chunk");
});
constexpr LookRule kCountFits("tiledb-chunk-count-fits", fits);
constexpr LookRule kChunkComplete("tiledb-chunk-complete", fits);

void chunks_fill_payload(const Tile& it, Look& look) {
  const std::uint64_t end = it.payload_at() + it.persisted;
  look.at(it.chunks_end);
  look.ask(
      it.chunks_end == end,
      [&] { return std::format("{} bytes behind the last chunk", end - it.chunks_end); },
      "chunks that take up the payload");
}

void tile_size(const Tile& it, Look& look) {
  std::uint64_t total = 0;
  for (const Chunk& chunk : it.chunks) total = sum(total, chunk.original);
  look.at(12);
  look.ask(
      total == it.size,
      [&] { return std::format("tile size {}, chunks of {} bytes", it.size, total); },
      "the sum of the original lengths of the chunks");
}

constexpr Rule<Tile> kChunkTableRules[] = {
    {"tiledb-chunks-fill-payload", chunks_fill_payload},
    {"tiledb-tile-size", tile_size},
};

// One chunk, as its head states it.
struct ChunkUse {
  const Chunk& chunk;
  const Tile& tile;
};

constexpr LookRule kMaxSize("tiledb-chunk-max-size", [](const ChunkUse& it, Look& look) {
  const std::uint32_t most = it.tile.pipeline.max_chunk;
  if (most == 0) return;
  look.ask(
      it.chunk.original <= most,
      [&] { return std::format("a chunk of {} bytes", it.chunk.original); },
      [&] { return std::format("at most {}, the pipeline's maximum", most); });
});
constexpr LookRule kCellsWhole("tiledb-chunk-cells-whole", [](const ChunkUse& it, Look& look) {
  if (it.tile.version < 11 || it.tile.cell_size == 0) return;
  look.ask(
      it.chunk.original % it.tile.cell_size == 0,
      [&] { return std::format("{} bytes for cells of {}", it.chunk.original, it.tile.cell_size); },
      "whole cells");
});

void block_from_pipeline(const Stop& stop, Notes& notes) {
  block_pipelines(stop, true, notes);
  block_behind<kPipelineSize, kEncryptionFilter>(stop, notes);
}

void block_chunks(const Stop& stop, Notes& notes) {
  block_behind<kCountPositive, kCountFits, kChunkComplete, kChunkTableRules, kMaxSize, kCellsWhole>(
      stop, notes);
  block_undoing(stop, notes);
}

void block_header(const Stop& stop, Notes& notes) {
  block_behind<kPipelineFits, kPayloadComplete, kSingleTile, kHeaderRules>(stop, notes);
  block_from_pipeline(stop, notes);
  block_chunks(stop, notes);
}

Tile read_header(std::span<const std::byte> bytes) {
  return {.version = load<std::uint32_t>(bytes.data()),
          .persisted = load<std::uint64_t>(bytes.data() + 4),
          .size = load<std::uint64_t>(bytes.data() + 12),
          .datatype = std::to_integer<std::uint8_t>(bytes[20]),
          .cell_size = load<std::uint64_t>(bytes.data() + 21),
          .encryption = std::to_integer<std::uint8_t>(bytes[29]),
          .pipeline_size = load<std::uint32_t>(bytes.data() + 30)};
}

// Reads the heads of the chunks. Returns false if one does not fit.
bool read_chunks(std::span<const std::byte> payload, Notes& notes, Opened& into) {
  Tile& tile = into.tile;
  BoundedReader read(payload, notes, into.source, tile.payload_at(), false);
  const Path table{.kind = "tile", .index = {}, .name = {}};
  const auto stops = [&] {
    if (read.stopped()) into.stop = read.stop();
    return read.stopped();
  };
  if (!read.room<kCountFits>(&table, "the number of chunks", 8)) return !stops();
  tile.chunk_count = read.get<std::uint64_t>().value;
  if (!judge<kCountPositive>(tile, read.place(&table, tile.payload_at()), notes)) {
    into.stop = {true, notes.last(), "there is no chunk"};
    return false;
  }
  if (!read.room_for<kCountFits>(&table, "chunks", tile.chunk_count, 12)) return !stops();
  tile.chunks.reserve(tile.chunk_count);
  for (std::uint64_t i = 0; i < tile.chunk_count; ++i) {
    const Path path{.up = &table, .kind = "chunk", .index = i};
    Chunk chunk{.at = read.at()};
    if (!read.room<kChunkComplete>(&path, "the head of a chunk", 12)) return !stops();
    chunk.original = read.get<std::uint32_t>().value;
    chunk.filtered = read.get<std::uint32_t>().value;
    chunk.metadata = read.get<std::uint32_t>().value;
    chunk.metadata_at = read.at();
    if (!read.room<kChunkComplete>(&path, "the metadata of a chunk", chunk.metadata))
      return !stops();
    read.take_bytes(chunk.metadata);
    chunk.data_at = read.at();
    if (!read.room<kChunkComplete>(&path, "the data of a chunk", chunk.filtered)) return !stops();
    read.take_bytes(chunk.filtered);
    tile.chunks.push_back(chunk);
  }
  tile.chunks_end = read.at();
  judge_each<kChunkTableRules>(tile, read.place(&table, 0), notes);
  for (std::size_t i = 0; i < tile.chunks.size(); ++i) {
    const Path path{.up = &table, .kind = "chunk", .index = i};
    const ChunkUse each{tile.chunks[i], tile};
    const Place place = read.place(&path, each.chunk.at);
    judge_each<kMaxSize>(each, place, notes);
    judge_each<kCellsWhole>(each, place, notes);
  }
  return true;
}

void refuse_file(std::string why, std::string_view clause, Notes& notes, Opened& into) {
  into.unsupported = std::move(why);
  into.stop = {true, clause, into.unsupported};
  block_header(into.stop, notes);
}

// The pipeline of the header. Returns false if nothing that it describes can be undone.
bool read_header_pipeline(std::span<const std::byte> file, Notes& notes, Opened& into) {
  Tile& tile = into.tile;
  const Path path{.kind = "tile"}, pipeline{.up = &path, .kind = "pipeline"};
  BoundedReader read(file.subspan(kHeaderSize, tile.pipeline_size), notes, into.source, kHeaderSize,
                     false);
  tile.pipeline = read_pipeline(read, &pipeline);
  tile.pipeline_used = read.at() - kHeaderSize;
  if (read.stopped()) {
    into.stop = read.stop();
    block_behind<kPipelineSize, kEncryptionFilter>(into.stop, notes);
    return false;
  }
  bool sound = judge_each<kPipelineSize>(tile, read.place(&path, 30), notes);
  const PipelineUse use{.pipeline = &tile.pipeline, .role = Role::kHeader, .version = tile.version};
  sound &= judge_pipeline(use, &pipeline, read);
  sound &= judge_each<kEncryptionFilter>(tile, read.place(&path, kHeaderSize), notes);
  if (!sound) into.stop = {true, notes.last(), "the pipeline of the tile is broken"};
  return sound;
}

}  // namespace

void tile_rules(RuleList& list) {
  list.structure<kBeforeFormat, kHeaderComplete, kVersionRules, kPipelineFits, kPayloadComplete,
                 kSingleTile, kHeaderRules, kPipelineSize, kEncryptionFilter, kCountPositive,
                 kCountFits, kChunkComplete, kChunkTableRules, kMaxSize, kCellsWhole>();
}

bool looks_like_tile(const Bytes& file) {
  std::array<std::byte, kHeaderSize> head{};
  if (!file.read(0, head)) return false;
  const Tile tile = read_header(head);
  return tile.version > 0 && tile.version <= kLastVersion && is_known(tile.datatype) &&
         tile.encryption <= 1 && tile.cell_size > 0 &&
         sum(tile.payload_at(), tile.persisted) == file.size();
}

bool is_before_format(const Bytes& file) {
  std::array<std::byte, 25> head{};
  return file.size() >= 30 && file.read(0, head) &&
         load<std::uint64_t>(head.data()) == file.size() - 30 &&
         std::to_integer<std::uint8_t>(head[16]) == kChar &&
         load<std::uint64_t>(head.data() + 17) == 1;
}

bool judge_version(std::uint32_t version, std::string_view of, const Place& at, Notes& notes,
                   Opened& into) {
  judge_each<kVersionRules>(Versions{version, of}, at, notes);
  if (version <= kLastVersion) return true;
  into.unsupported = version < kFirstExperimental
                         ? std::format("version {} is newer than {}", version, kLastVersion)
                         : std::format("version {:#x} is experimental", version);
  into.stop = {true, notes.last(), into.unsupported};
  return false;
}

void open_tile(const Bytes& file, const Limits& limits, Notes& notes, Opened& into) {
  into.seen = true;
  const Place whole{.source = &into.source};
  const FileStart start{.before_format = is_before_format(file), .size = file.size()};
  judge_each<kBeforeFormat>(start, whole, notes);
  if (start.before_format)
    return refuse_file("an array schema of TileDB 1.3 or older", notes.last(), notes, into);
  if (file.size() > limits.block_bytes) {
    into.stop = {
        true, {}, std::format("the file is larger than the limit of {} bytes", limits.block_bytes)};
    return block_header(into.stop, notes);
  }
  into.file.resize(file.size());
  if (file.size() > 0 && !file.read(0, into.file)) {
    into.stop = {true, {}, "the file cannot be read"};
    return block_header(into.stop, notes);
  }
  const Path path{.kind = "tile"};
  BoundedReader read(into.file, notes, into.source, 0, false);
  if (!read.room<kHeaderComplete>(&path, "the header of a tile", kHeaderSize)) {
    into.stop = read.stop();
    return block_header(into.stop, notes);
  }
  Tile& tile = into.tile;
  tile = read_header(into.file);
  tile.file_size = file.size();
  read.take_bytes(kHeaderSize);
  if (!judge_version(tile.version, "tile", read.place(&path, 0), notes, into))
    return block_header(into.stop, notes);
  judge_each<kHeaderRules>(tile, read.place(&path, 0), notes);
  if (!read.room<kPipelineFits>(&path, "the pipeline of the tile", tile.pipeline_size)) {
    into.stop = read.stop();
    block_behind<kPayloadComplete, kSingleTile>(into.stop, notes);
    block_from_pipeline(into.stop, notes);
    return block_chunks(into.stop, notes);
  }
  const std::uint64_t errors = notes.errors();
  const bool sound = read_header_pipeline(into.file, notes, into);
  read.take_bytes(tile.pipeline_size);
  if (!read.room<kPayloadComplete>(&path, "the payload of the tile", tile.persisted)) {
    into.stop = read.stop();
    block_behind<kSingleTile>(into.stop, notes);
    return block_chunks(into.stop, notes);
  }
  judge_each<kSingleTile>(tile, read.place(&path, 0), notes);
  const Stop of_pipeline = into.stop;
  if (!read_chunks(std::span(into.file).subspan(tile.payload_at(), tile.persisted), notes, into))
    return block_chunks(into.stop, notes);
  if (sound) return decode_chunks(limits, notes, into);
  // A pipeline of a wrong size may describe the chunks all the same.
  const bool only_size = notes.errors() == errors + 1 && tile.pipeline_used != tile.pipeline_size;
  into.stop = of_pipeline;
  if (only_size && of_pipeline.clause == kPipelineSize.id.str()) {
    const std::uint64_t before = notes.fails();
    {
      const Notes::Silence silence(notes);
      decode_chunks(limits, notes, into);
    }
    const bool sensible = into.decoded && notes.fails() == before;
    into.content.clear();
    into.source.pieces.clear();
    if (sensible) return decode_chunks(limits, notes, into);
    into.decoded = false;
    into.stop = of_pipeline;
  }
  block_undoing(into.stop, notes);
}

}  // namespace hepcheck::tiledb
