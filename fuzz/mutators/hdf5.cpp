// The HDF5 container: every checksum that the reader misses is put right, block after block, so
// that what was changed is met behind them; and where the file ends.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "fuzz/mutators/mutator.h"
#include "validator/examine_file.h"

namespace hepcheck::fuzz {

namespace {

using Image = std::span<std::uint8_t>;

constexpr std::uint8_t kSignature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

void put(Image bytes, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

// With offsets of 8 bytes and no user block, as most have it.
void mend_superblock(Image image) {
  if (image.size() < 96) return;
  std::ranges::copy(kSignature, image.begin());
  const std::uint8_t version = image[8];
  if (version <= 1) put(image, version == 0 ? 40 : 44, 8, image.size());
  if (version == 2 || version == 3) put(image, 28, 8, image.size());
}

template <class Number>
std::optional<Number> number_in(std::string_view text, int base) {
  Number number{};
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (trouble != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

// "FAHD @ 2048 + 24" and "1f2e3d4c, that of the bytes before it".
bool put_checksum(Image image, const Finding& finding) {
  const std::string_view where = finding.where;
  const std::size_t at = where.find(" @ "), plus = where.find(" + ");
  if (at == where.npos || plus == where.npos) return false;
  const auto block = number_in<std::size_t>(where.substr(at + 3), 10);
  const auto offset = number_in<std::size_t>(where.substr(plus + 3), 10);
  const auto sum = number_in<std::uint32_t>(finding.expected, 16);
  if (!block || !offset || !sum || *block + *offset + 4 > image.size()) return false;
  put(image, *block + *offset, 4, *sum);
  return true;
}

// Those that the reader meets; false if there is none.
bool mend_checksums(Image image) {
  FileOptions options{.examine = {.depth = Depth::kStructure,
                                  .describe_columns = false,
                                  .describe_answers = false}};
  const FileReport report = examine_image(std::as_bytes(image), "image", std::nullopt,
                                          &default_revision("hdf5"), options);
  bool mended = false;
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.clause->id.ends_with("-checksum"))
        for (const Finding& finding : result.findings) mended |= put_checksum(image, finding);
  return mended;
}

}  // namespace

void mend(Image file, std::minstd_rand& random) {
  // Behind a block that is put right there may be another.
  constexpr int kLevels = 6;
  if (random() % 8 != 0) mend_superblock(file);
  if (random() % 8 == 0) return;
  for (int i = 0; i < kLevels && mend_checksums(file); ++i) {
  }
}

}  // namespace hepcheck::fuzz
