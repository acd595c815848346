#include "validator/formats/hdf5/file_map.h"

#include <algorithm>
#include <format>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "validator/formats/hdf5/fields.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5 {

namespace {

constexpr char kKinds = 'k', kObjects = 'o', kRanges = 'r', kFields = 'f', kFindings = 'n',
               kMapEnd = 'e';
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

// The ranges to report, by address.
std::vector<Extent> wanted_extents(ContainerWalk& walk, const MapOptions& options) {
  std::vector<Extent> made = walk.container().extents.sorted();
  if (options.only)
    std::erase_if(made, [&](const Extent& each) {
      return walk.objects().path(each.object) != *options.only;
    });
  return made;
}

void tell_ranges(const ContainerWalk& walk, const std::vector<Extent>& wanted, const Tell& tell) {
  const Extents& extents = walk.container().extents;
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
  for (const Extent& extent : wanted) {
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

// --- Fields -------------------------------------------------------------------------------------

std::string shown_bytes(std::span<const std::byte> bytes) {
  constexpr std::size_t kMostShown = 4'096;
  const auto is = [&](const auto& which) { return std::ranges::all_of(bytes, which); };
  if (is([](std::byte each) { return each == std::byte{0}; })) return "zeros";
  const auto text = bytes.first(bytes.size() - (bytes.back() == std::byte{0} ? 1 : 0));
  if (std::ranges::all_of(text, [](std::byte each) {
        return each >= std::byte{' '} && each <= std::byte{'~'} && each != std::byte{'"'};
      }))
    return std::format("\"{}\"{}",
                       std::string_view(reinterpret_cast<const char*>(text.data()), text.size()),
                       text.size() < bytes.size() ? " and a zero" : "");
  std::string made;
  for (const std::byte each : bytes.first(std::min(bytes.size(), kMostShown)))
    made += std::format("{:02x}", std::to_integer<unsigned>(each));
  if (bytes.size() > kMostShown)
    made += std::format(" and {} more bytes", bytes.size() - kMostShown);
  return made;
}

// The bytes of structures, as their fields and what is between these.
class FieldTeller {
 public:
  FieldTeller(const Bytes& file, const FieldRecording& recording, const Tell& tell)
      : file_(file), recording_(recording), fields_(recording.sorted()), tell_(tell) {}

  void range(std::uint64_t number, std::uint64_t begin, std::uint64_t size) {
    const std::uint64_t end = begin + size;
    std::uint64_t at = begin;
    for (auto it = std::ranges::lower_bound(fields_, begin, {}, &Field::address);
         it != fields_.end() && it->end() <= end; ++it) {
      if (it->address < at) continue;
      between(number, at, it->address);
      const std::string name = recording_.full_name(*it);
      if (it->number)
        put(number, it->address, it->size, name, shown_number(*it));
      else
        put(number, it->address, it->size, name, bytes(it->address, it->size));
      at = it->end();
    }
    between(number, at, end);
  }
  void flush() {
    if (message_.size() > 1) tell_(message_.bytes());
    message_ = MessageWriter(kFields);
  }

 private:
  static std::string shown_number(const Field& field) {
    const bool undefined =
        field.size >= 2 && field.size <= 8 &&
        (field.value == kUndefined ||
         (field.size < 8 && field.value + 1 == std::uint64_t{1} << 8 * field.size));
    return undefined ? "undefined" : std::to_string(field.value);
  }
  void between(std::uint64_t number, std::uint64_t begin, std::uint64_t end) {
    if (begin < end) put(number, begin, end - begin, "", bytes(begin, end - begin));
  }
  std::string bytes(std::uint64_t begin, std::uint64_t size) const {
    constexpr std::uint64_t kMostRead = std::uint64_t{1} << 20;
    std::vector<std::byte> made(std::min(size, kMostRead));
    return !made.empty() && file_.read(begin, made) ? shown_bytes(made) : "?";
  }
  void put(std::uint64_t number, std::uint64_t begin, std::uint64_t size, std::string_view name,
           std::string_view value) {
    message_.put(number);
    message_.put(begin);
    message_.put(size);
    message_.put(name);
    message_.put(value);
    if (message_.size() >= kMapBatch) flush();
  }

  const Bytes& file_;
  const FieldRecording& recording_;
  std::vector<Field> fields_;
  const Tell& tell_;
  MessageWriter message_{kFields};
};

void tell_fields(const ContainerWalk& walk, const std::vector<Extent>& wanted,
                 const FieldRecording& recording, const Tell& tell) {
  const Container& container = walk.container();
  FieldTeller teller(container.file(), recording, tell);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!container.extents.is_raw(wanted[i]))
      teller.range(i, sum(container.base, wanted[i].address), wanted[i].size);
  teller.flush();
}

// Risks are not about single bytes.
void tell_findings(const Notes& notes, const Tell& tell) {
  MessageWriter message(kFindings);
  for (const Notes::Placed& each : notes.placed()) {
    if (each.clause.starts_with("h5-risk-")) continue;
    message.put(sum(each.at.block, each.at.decoded ? 0 : each.at.offset));
    message.put(static_cast<std::uint64_t>(each.severity));
    message.put(std::uint64_t{each.at.decoded});
    for (const std::string_view text :
         {each.clause, std::string_view(each.object), std::string_view(each.observed),
          std::string_view(each.expected)})
      message.put(text);
    if (message.size() < kMapBatch) continue;
    tell(message.bytes());
    message = MessageWriter(kFindings);
  }
  if (message.size() > 1) tell(message.bytes());
}

}  // namespace

void tell_map(const Bytes& file, const Limits& limits, const MapOptions& options,
              const Tell& tell) {
  MessageWriter end(kMapEnd);
  const std::optional<std::uint64_t> position = find_signature(file);
  end.put(file.size());
  end.put(position.value_or(0));
  if (!position) {
    end.put(std::uint64_t{0});
    end.put(std::string_view("not an HDF5 file: the superblock signature is missing"));
    return tell(end.bytes());
  }
  std::unique_ptr<FieldRecording> recording;
  if (options.fields) recording = std::make_unique<FieldRecording>();
  ContainerWalk walk(file, *position, default_revision("hdf5"), kMapFindings, limits,
                     {.decode = options.fields, .only = options.only});
  constexpr std::size_t kMostPlaced = 10'000;
  if (options.fields) walk.notes().keep_places(kMostPlaced);
  walk.run();
  const std::vector<Extent> wanted = wanted_extents(walk, options);
  tell_ranges(walk, wanted, tell);
  if (recording) {
    tell_fields(walk, wanted, *recording, tell);
    tell_findings(walk.notes(), tell);
  }
  const Container& container = walk.container();
  end.put(std::min(file.size(), sum(container.base, container.end)));
  if (!walk.found()) end.put("no object " + *options.only);
  if (recording && recording->full())
    end.put(std::format("fields beyond the first {} have no names", FieldRecording::kMost));
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
  const bool understood = !ended_ && (message.kind() == kKinds      ? names(message, made_.kinds)
                                      : message.kind() == kObjects  ? names(message, made_.objects)
                                      : message.kind() == kRanges   ? ranges(message)
                                      : message.kind() == kFields   ? fields(message)
                                      : message.kind() == kFindings ? findings(message)
                                      : message.kind() == kMapEnd   ? end(message)
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

bool FileMapReader::fields(MessageReader& message) {
  while (message.more()) {
    const std::uint64_t range = message.number();
    FileField field{.address = message.number(), .size = message.number(), .range = range};
    field.name = message.text();
    field.value = message.text();
    if (!message.good() || range >= made_.ranges.size()) return false;
    const FileRange& whole = made_.ranges[range];
    if (field.address < whole.address || field.address > whole.end() ||
        field.size > whole.end() - field.address ||
        (!made_.fields.empty() && made_.fields.back().range > range))
      return false;
    made_.fields.push_back(std::move(field));
  }
  return message.good();
}

bool FileMapReader::findings(MessageReader& message) {
  while (message.more()) {
    FileFinding finding{.address = message.number()};
    const std::uint64_t severity = message.number();
    finding.severity = static_cast<Severity>(
        std::min<std::uint64_t>(severity, static_cast<std::uint64_t>(Severity::kError)));
    finding.decoded = message.number() != 0;
    finding.clause = message.text();
    finding.object = message.text();
    finding.observed = message.text();
    finding.expected = message.text();
    if (!message.good()) return false;
    made_.findings.push_back(std::move(finding));
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
