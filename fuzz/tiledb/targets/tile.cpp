// Schemas and enumerations in a tile whose content is compressed again after each mutation.
// Oracles: the invariants of every report; what was read to its end is written as it was read; a
// tile without filters gives the same findings about its content as the compressed one.
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "validator/examine_file.h"
#include "validator/formats/tiledb/array.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

using Bytes8 = std::vector<std::uint8_t>;

constexpr std::size_t kMostBytes = 64 * 1024, kHeader = 34;

const Specification& spec() { return default_revision("tiledb"); }

// The decoded bytes of a file; empty if there are none.
Bytes8 content_of(std::span<const std::byte> image) {
  tiledb::Notes notes(spec(), 1);
  tiledb::Opened opened;
  tiledb::open_tile(Bytes::of_image(image, "image"), Limits{}, notes, opened);
  if (!opened.decoded) return {};
  const auto* at = reinterpret_cast<const std::uint8_t*>(opened.content.data());
  return {at, at + opened.content.size()};
}

void put(Bytes8& into, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) into.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

// A tile of that version around decoded bytes: gzip of level 1, or no filter.
Bytes8 tile_of(const Bytes8& content, std::uint32_t version, bool compress) {
  Bytes8 data = content, metadata, pipeline;
  put(pipeline, 65536, 4);
  put(pipeline, compress, 4);
  if (compress) {
    pipeline.insert(pipeline.end(), {1, 5, 0, 0, 0, 1, 1, 0, 0, 0});
    libdeflate_compressor* const library = libdeflate_alloc_compressor(1);
    data.resize(libdeflate_zlib_compress_bound(library, content.size()));
    data.resize(libdeflate_zlib_compress(library, content.data(), content.size(), data.data(),
                                         data.size()));
    libdeflate_free_compressor(library);
    put(metadata, 0, 4);
    put(metadata, 1, 4);
    put(metadata, content.size(), 4);
    put(metadata, data.size(), 4);
  }
  Bytes8 made;
  put(made, version, 4);
  put(made, 8 + 12 + metadata.size() + data.size(), 8);
  put(made, content.size(), 8);
  put(made, 4, 1);
  put(made, 1, 8);
  put(made, 0, 1);
  put(made, pipeline.size(), 4);
  made.insert(made.end(), pipeline.begin(), pipeline.end());
  put(made, 1, 8);
  put(made, content.size(), 4);
  put(made, data.size(), 4);
  put(made, metadata.size(), 4);
  made.insert(made.end(), metadata.begin(), metadata.end());
  made.insert(made.end(), data.begin(), data.end());
  return made;
}

std::uint32_t version_of(const std::uint8_t* data) {
  std::uint32_t version = 0;
  std::memcpy(&version, data, sizeof version);
  return version;
}

Report report_of(std::span<const std::byte> image) {
  FileOptions options{.examine = {.memory_limit = 1 << 20, .jobs = 1}};
  Report report{.hepcheck = "fuzz", .spec = &spec()};
  report.files.push_back(examine_image(image, "image", std::nullopt, &spec(), options));
  return report;
}

void require_written_again(const Bytes8& content) {
  if (content.size() < 4) return;
  tiledb::Notes notes(spec(), 1);
  tiledb::Opened opened;
  opened.content.resize(content.size());
  std::memcpy(opened.content.data(), content.data(), content.size());
  opened.decoded = true;
  std::vector<std::byte> again = opened.content;
  if (version_of(content.data()) == 0) {
    tiledb::Enumeration it;
    tiledb::read_enumeration(opened, notes, it);
    if (it.whole && it.end == content.size()) again = tiledb::write_enumeration(it);
  } else {
    tiledb::Schema schema;
    if (tiledb::read_schema(opened, notes, schema) && schema.reached == tiledb::Reached::kEnd &&
        schema.end == content.size())
      again = tiledb::write_schema(schema);
  }
  require(again == opened.content, "what was read is written differently");
}

// The clauses about the content that do not hold.
std::vector<std::string> broken_by_content(const Report& report) {
  std::vector<std::string> made;
  for (const SubjectReport& subject : report.files[0].subjects)
    for (const ClauseResult& result : subject.clauses)
      if (!result.findings.empty() && result.clause->section != "tile" &&
          result.clause->section != "generic-tile")
        made.emplace_back(result.clause->id);
  return made;
}

}  // namespace

FUZZ_MUTATOR(tile) {
  std::minstd_rand random(seed);
  Bytes8 content = content_of(input(data, size));
  if (content.empty() || random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t whole = content.size();
  content.resize(whole + 64);
  for (std::size_t n = 1 + random() % 3; n > 0; --n) {
    const std::size_t at = random() % whole;
    const std::size_t window = std::min<std::size_t>(whole - at, 1 + random() % 16);
    if (random() % 4 == 0)
      std::memmove(content.data() + at, content.data() + random() % (whole - window + 1), window);
    else
      LLVMFuzzerMutate(content.data() + at, window, window);
  }
  content.resize(random() % 8 == 0 ? LLVMFuzzerMutate(content.data(), whole, whole + 64) : whole);
  const Bytes8 made = tile_of(content, version_of(data), random() % 4 != 0);
  if (made.size() > max_size) return size;
  std::ranges::copy(made, data);
  return made.size();
}

FUZZ_TARGET(tile) {
  if (size > kMostBytes || size < kHeader) return 0;
  const auto image = input(data, size);
  check_verdicts(report_of(image));
  const Bytes8 content = content_of(image);
  if (content.empty()) return 0;
  require_written_again(content);
  const Bytes8 plain = tile_of(content, version_of(data), false);
  const Bytes8 compressed = tile_of(content, version_of(data), true);
  const Report of_plain = report_of(input(plain.data(), plain.size()));
  const Report of_compressed = report_of(input(compressed.data(), compressed.size()));
  check_verdicts(of_plain);
  require(broken_by_content(of_plain) == broken_by_content(of_compressed),
          "compression changes what is found about the content");
  return 0;
}
