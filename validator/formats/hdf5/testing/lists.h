// The containers of the corpus, and what lists of their chunks and maps of their bytes say, as
// text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/fnv1a.h"
#include "validator/formats/hdf5/chunk_list.h"
#include "validator/formats/hdf5/file_map.h"

namespace hepcheck::hdf5::testing {

inline std::vector<std::filesystem::path> containers() {
  std::vector<std::filesystem::path> found;
  for (const std::filesystem::directory_entry& each : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(HEPCHECK_SOURCE) / "fixtures/hdf5"))
    if (each.path().extension() == ".h5") found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

inline ChunkLists chunks_of(const Bytes& file, const std::optional<std::string>& only = {},
                            const Limits& limits = {}) {
  ChunkListReader reader;
  tell_chunks(file, only, limits, [&](std::string_view message) { reader.take(message); });
  return std::move(reader).lists();
}

inline std::string joined(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t each : numbers) text += (text.empty() ? "" : ",") + std::to_string(each);
  return text;
}

// Numbers of many chunks are long: the first of them, and a digest of all.
inline std::string brief(const std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t kFew = 24;
  if (numbers.size() <= kFew) return joined(numbers);
  Fnv1a digest;
  for (const std::uint64_t each : numbers) digest.add(each);
  return joined({numbers.begin(), numbers.begin() + kFew}) +
         std::format(",... {:016x}", digest.value());
}

inline std::string text_of(const ChunkLists& lists) {
  std::string text;
  for (const ChunkList& each : lists.datasets)
    text += std::format(" {} {} shape {} chunk {}{}: {}: {}\n", each.path, each.index,
                        joined(each.shape), joined(each.chunk), each.whole ? "" : " not whole",
                        each.count(), brief(each.numbers));
  for (const std::string& each : lists.trouble) text += " trouble: " + each + '\n';
  return text;
}

inline std::string text_of(const FileMap& map) {
  std::string text = std::format(" size {} base {} end {}", map.size, map.base, map.end);
  std::vector<std::uint64_t> numbers;
  for (const FileRange& each : map.ranges)
    numbers.insert(numbers.end(), {each.address, each.size, each.kind, each.object});
  text += std::format("; {} ranges {}", map.ranges.size(), brief(numbers));
  for (const FileMap::Gap& gap : map.gaps())
    text += std::format("; gap {} {}", gap.address, gap.size);
  for (const FileMap::Overlap& each : map.overlaps())
    text +=
        std::format("; overlap {} {} of {} {}", each.address, each.size, each.first, each.second);
  text += '\n';
  for (const std::string& each : map.trouble) text += " trouble: " + each + '\n';
  return text;
}

// With all fields and findings.
inline std::string all_of(const FileMap& map) {
  std::string text = text_of(map);
  for (const FileField& each : map.fields)
    text +=
        std::format("{} {} {} {} {}\n", each.range, each.address, each.size, each.name, each.value);
  for (const FileFinding& each : map.findings)
    text +=
        std::format("{} {} {} {} {} {} {}\n", each.address, each.decoded, to_string(each.severity),
                    each.clause, each.object, each.observed, each.expected);
  return text;
}

}  // namespace hepcheck::hdf5::testing
