#include "validator/formats/hdf5/file_map.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5 {

namespace {

constexpr char kKinds = 'k', kObjects = 'o', kRanges = 'r', kMapEnd = 'e';
constexpr std::size_t kMapBatch = std::size_t{1} << 16;  // bytes
constexpr std::uint64_t kMapFindings = 1;

// Numbers in the order of discovery.
template <class Key>
class Numbers {
 public:
  std::pair<std::uint64_t, bool> of(const Key& key) {
    const auto [it, fresh] = numbers_.try_emplace(key, numbers_.size());
    return {it->second, fresh};
  }

 private:
  std::unordered_map<Key, std::uint64_t> numbers_{};
};

void tell_ranges(ContainerWalk& walk, const Tell& tell) {
  Extents& extents = walk.container().extents;
  Numbers<std::string_view> kinds;
  Numbers<std::uint32_t> objects;
  MessageWriter new_kinds(kKinds), new_objects(kObjects), ranges(kRanges);
  const auto flush = [&] {
    for (MessageWriter* each : {&new_kinds, &new_objects, &ranges}) {
      if (each->size() > 1) tell(each->bytes());
      *each = MessageWriter(each->bytes().front());
    }
  };
  kinds.of("raw data");  // FileMap::kRaw
  new_kinds.put(std::string_view("raw data"));
  for (const Extent& extent : extents.sorted()) {
    const std::string_view kind = extents.kind(extent);
    const auto [kind_number, new_kind] = kinds.of(kind);
    const auto [object_number, new_object] = objects.of(extent.object);
    if (new_kind) new_kinds.put(kind);
    if (new_object) new_objects.put(walk.objects().path(extent.object));
    ranges.put(sum(walk.container().base, extent.address));
    ranges.put(extent.size);
    ranges.put(kind_number);
    ranges.put(object_number);
    if (ranges.size() + new_objects.size() >= kMapBatch) flush();
  }
  flush();
}

}  // namespace

void tell_map(const Bytes& file, const Limits& limits, const Tell& tell) {
  MessageWriter end(kMapEnd);
  const std::optional<std::uint64_t> position = find_signature(file);
  end.put(file.size());
  end.put(position.value_or(0));
  if (!position) {
    end.put(std::uint64_t{0});
    end.put(std::string_view("not an HDF5 file: the superblock signature is missing"));
    return tell(end.bytes());
  }
  ContainerWalk walk(file, *position, default_revision("hdf5"), kMapFindings, limits, {});
  walk.run();
  tell_ranges(walk, tell);
  const Container& container = walk.container();
  end.put(std::min(file.size(), sum(container.base, container.end)));
  if (!walk.not_examined().empty())
    end.put("not examined: " + walk.not_examined());
  else if (!walk.all_read())
    end.put(std::string_view("part of the metadata is invalid, or could not be examined"));
  for (const DatasetRecord& each : walk.datasets())
    if (!each.described || !each.listed || each.open)
      end.put(walk.objects().path(each.object) + ": part of it is invalid, or was not examined");
  tell(end.bytes());
}

void FileMapReader::take(std::string_view bytes) {
  MessageReader message(bytes);
  const bool understood = !ended_ && (message.kind() == kKinds     ? names(message, made_.kinds)
                                      : message.kind() == kObjects ? names(message, made_.objects)
                                      : message.kind() == kRanges  ? ranges(message)
                                      : message.kind() == kMapEnd  ? end(message)
                                                                   : false);
  nonsense_ |= !understood;
}

bool FileMapReader::names(MessageReader& message, std::vector<std::string>& into) {
  while (message.more()) into.push_back(message.text());
  return message.good();
}

bool FileMapReader::ranges(MessageReader& message) {
  while (message.more()) {
    FileRange range{.address = message.number(), .size = message.number()};
    const std::uint64_t kind = message.number(), object = message.number();
    const bool ordered = made_.ranges.empty() || made_.ranges.back().address <= range.address;
    if (!message.good() || !ordered || kind >= made_.kinds.size() ||
        object >= made_.objects.size() || range.size > ~range.address)
      return false;
    range.kind = static_cast<std::uint32_t>(kind);
    range.object = static_cast<std::uint32_t>(object);
    made_.ranges.push_back(range);
  }
  return message.good();
}

bool FileMapReader::end(MessageReader& message) {
  ended_ = true;
  made_.size = message.number();
  made_.base = message.number();
  made_.end = message.number();
  while (message.more()) made_.trouble.push_back(message.text());
  return message.good();
}

FileMap FileMapReader::map() && {
  if (nonsense_ || !ended_) made_.trouble.emplace_back("the answer of the worker is incomplete");
  return std::move(made_);
}

std::vector<FileMap::Gap> FileMap::gaps() const {
  std::vector<Gap> made;
  std::uint64_t reached = base;
  for (const FileRange& range : ranges) {
    if (range.address > reached) made.push_back({reached, range.address - reached});
    reached = std::max(reached, range.end());
  }
  if (end > reached) made.push_back({reached, end - reached});
  return made;
}

std::vector<FileMap::Overlap> FileMap::overlaps() const {
  std::vector<Overlap> made;
  std::size_t furthest = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].address < ranges[furthest].end())
      made.push_back({ranges[i].address,
                      std::min(ranges[i].end(), ranges[furthest].end()) - ranges[i].address,
                      furthest, i});
    if (ranges[i].end() > ranges[furthest].end()) furthest = i;
  }
  return made;
}

}  // namespace hepcheck::hdf5
