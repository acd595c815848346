#include "validator/formats/hep001/storage/limited_values.h"

#include <algorithm>
#include <format>

#include "validator/counted.h"
#include "validator/integers.h"

namespace hepcheck::hep001 {

namespace {

// A small file with a few well compressed columns is not an attack.
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 30;

std::uint64_t chunk_count(const Dataset& dataset) {
  const auto& chunk = dataset.storage.chunk;
  const auto& extent = dataset.space.extent;
  if (chunk.empty() || chunk.size() != extent.size()) return 0;
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < extent.size(); ++d)
    if (chunk[d] > 0) count = product(count, divided_up(extent[d], chunk[d]));
  return count;
}

class LimitedStream : public ValueStream {
 public:
  LimitedStream(std::unique_ptr<ValueStream> source, LimitedValues& values, const Dataset& dataset,
                std::uint64_t longest)
      : source_(std::move(source)), values_(values), path_(dataset.path), longest_(longest),
        variable_(has_variable_part(dataset.type)) {}

  Result<std::optional<Block>> next() override {
    Result<std::optional<Block>> block = source_->next();
    if (!block || !*block) return block;
    std::uint64_t bytes = (*block)->bytes.size();
    // Values of a fixed size may have comparable forms besides their bytes; these are no strings,
    // and the values are not counted twice.
    for (const std::string_view text :
         variable_ ? (*block)->strings : std::span<const std::string_view>()) {
      if (text.size() > longest_)
        return failure(path_, "a string is longer than the limit of " + counted(longest_, "byte"));
      bytes += text.size();
    }
    if (auto error = values_.spend(path_, bytes)) return std::unexpected(std::move(*error));
    return block;
  }

 private:
  std::unique_ptr<ValueStream> source_;
  LimitedValues& values_;
  std::string path_;
  std::uint64_t longest_;
  bool variable_;
};

}  // namespace

LimitedValues::LimitedValues(ValueSource& source, const Limits& limits, std::uint64_t file_bytes)
    : source_(source), limits_(limits),
      most_by_ratio_(sum(product(file_bytes, limits.ratio), kFreeBytes)) {}

std::optional<Error> LimitedValues::refuse(const Dataset& dataset) const {
  if (chunk_count(dataset) > limits_.chunks)
    return Error{dataset.path, std::format("more chunks than the limit of {}", limits_.chunks)};
  return std::nullopt;
}

std::optional<Error> LimitedValues::spend(const std::string& path, std::uint64_t bytes) {
  const std::uint64_t spent = spent_ += bytes;
  if (spent > limits_.value_bytes)
    return Error{path, "the file contains more values than the limit of " +
                           counted(limits_.value_bytes, "byte")};
  if (spent > most_by_ratio_)
    return Error{path,
                 std::format("the ratio of the values to the file exceeds the limit of {} to 1",
                             limits_.ratio)};
  return std::nullopt;
}

Result<std::unique_ptr<ValueStream>> LimitedValues::stream_rows(const Dataset& dataset,
                                                                std::uint64_t first,
                                                                std::uint64_t count) {
  if (auto error = refuse(dataset)) return std::unexpected(std::move(*error));
  Result<std::unique_ptr<ValueStream>> stream = source_.stream_rows(dataset, first, count);
  if (!stream) return stream;
  return std::make_unique<LimitedStream>(std::move(*stream), *this, dataset, limits_.string_bytes);
}

Result<std::vector<std::byte>> LimitedValues::read(const Dataset& dataset,
                                                   std::span<const std::uint64_t> start,
                                                   std::span<const std::uint64_t> count) {
  if (auto error = refuse(dataset)) return std::unexpected(std::move(*error));
  std::uint64_t bytes = dataset.type.size;
  for (const std::uint64_t n : count) bytes = product(bytes, n);
  if (auto error = spend(dataset.path, bytes)) return std::unexpected(std::move(*error));
  return source_.read(dataset, start, count);
}

}  // namespace hepcheck::hep001
