#include "validator/formats/hdf5/file_map.h"

#include <algorithm>
#include <format>
#include <memory>
#include <optional>
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

// `most`: of the bytes that are written in hexadecimal, or as a text.
std::string shown_bytes(std::span<const std::byte> bytes, std::size_t most) {
  const auto is = [&](const auto& which) { return std::ranges::all_of(bytes, which); };
  if (is([](std::byte each) { return each == std::byte{0}; })) return "zeros";
  const auto text = bytes.first(bytes.size() - (bytes.back() == std::byte{0} ? 1 : 0));
  const auto shown = bytes.first(std::min(bytes.size(), most));
  const std::string rest =
      bytes.size() > most ? std::format(" and {} more bytes", bytes.size() - most) : "";
  if (std::ranges::all_of(text, [](std::byte each) {
        return each >= std::byte{' '} && each <= std::byte{'~'} && each != std::byte{'"'};
      })) {
    const std::string_view letters(reinterpret_cast<const char*>(text.data()), text.size());
    return std::format("\"{}\"{}", letters.substr(0, shown.size()),
                       !rest.empty()                ? rest
                       : text.size() < bytes.size() ? " and a zero"
                                                    : "");
  }
  std::string made;
  for (const std::byte each : shown) made += std::format("{:02x}", std::to_integer<unsigned>(each));
  return made + rest;
}

// The bytes of structures, as their fields and what is between these.
class FieldTeller {
 public:
  FieldTeller(const Bytes& file, const FieldRecording& recording, std::size_t most_shown,
              const Tell& tell)
      : file_(file), recording_(recording), fields_(recording.sorted()), most_shown_(most_shown),
        tell_(tell) {}

  void range(std::uint64_t number, std::uint64_t begin, std::uint64_t size) {
    for_each(begin, size, [&](std::uint64_t at, std::uint64_t count, const Field* field) {
      put(number, at, count, field);
    });
  }
  // The number of parts that range() tells.
  std::uint64_t count(std::uint64_t begin, std::uint64_t size) const {
    std::uint64_t made = 0;
    for_each(begin, size, [&](std::uint64_t, std::uint64_t, const Field*) { ++made; });
    return made;
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
  // Calls each(address, size, field) for the fields, and with null for the bytes between them.
  void for_each(std::uint64_t begin, std::uint64_t size, const auto& each) const {
    const std::uint64_t end = begin + size;
    std::uint64_t at = begin;
    const auto between = [&](std::uint64_t until) {
      if (at < until) each(at, until - at, static_cast<const Field*>(nullptr));
    };
    for (auto it = std::ranges::lower_bound(fields_, begin, {}, &Field::address);
         it != fields_.end() && it->end() <= end; ++it) {
      between(it->address);
      each(it->address, it->size, &*it);
      at = it->end();
    }
    between(end);
  }
  std::string bytes(std::uint64_t begin, std::uint64_t size) const {
    constexpr std::uint64_t kMostRead = std::uint64_t{1} << 20;
    std::vector<std::byte> made(std::min(size, kMostRead));
    return !made.empty() && file_.read(begin, made) ? shown_bytes(made, most_shown_) : "?";
  }
  void put(std::uint64_t number, std::uint64_t begin, std::uint64_t size, const Field* field) {
    message_.put(number);
    message_.put(begin);
    message_.put(size);
    message_.put(field ? recording_.full_name(*field) : std::string());
    message_.put(field && field->number ? shown_number(*field) : bytes(begin, size));
    if (message_.size() >= kMapBatch) flush();
  }

  const Bytes& file_;
  const FieldRecording& recording_;
  std::vector<Field> fields_;
  std::size_t most_shown_;
  const Tell& tell_;
  MessageWriter message_{kFields};
};

void tell_fields(const ContainerWalk& walk, const std::vector<Extent>& wanted, FieldTeller& teller,
                 const auto& is_wanted) {
  const Container& container = walk.container();
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!container.extents.is_raw(wanted[i]) && is_wanted(i))
      teller.range(i, sum(container.base, wanted[i].address), wanted[i].size);
  teller.flush();
}

// Risks are not about single bytes.
bool is_at_byte(const Notes::Placed& finding) { return !finding.clause.starts_with("h5-risk-"); }

std::uint64_t address_of(const Notes::Placed& finding) {
  return sum(finding.at.block, finding.at.decoded ? 0 : finding.at.offset);
}

void tell_findings(const Notes& notes, const Tell& tell) {
  MessageWriter message(kFindings);
  for (const Notes::Placed& each : notes.placed()) {
    if (!is_at_byte(each)) continue;
    message.put(address_of(each));
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

// The beginning of the last message.
MessageWriter end_of(const ContainerWalk& walk) {
  const Container& container = walk.container();
  MessageWriter end(kMapEnd);
  end.put(container.file().size());
  end.put(walk.superblock().position);
  end.put(std::min(container.file().size(), sum(container.base, container.end)));
  return end;
}

void put_if_full(const FieldRecording& recording, MessageWriter& into) {
  if (recording.full())
    into.put(std::format("fields beyond the first {} have no names", FieldRecording::kMost));
}

// --- A map of limited size ----------------------------------------------------------------------

class RangeChoice {
 public:
  RangeChoice(ContainerWalk& walk, std::uint64_t lines)
      : container_(walk.container()), all_(walk.container().extents.sorted()), left_(lines) {
    for (const Notes::Placed& each : walk.notes().placed())
      if (is_at_byte(each)) findings_.push_back(address_of(each));
    std::ranges::sort(findings_);
    const std::uint64_t most = lines / 2;
    for (const Extent& each : all_)
      if (all_.size() <= most || (has_finding(each) && listed_.size() < most))
        listed_.push_back(each);
    left_ -= listed_.size();
  }

  const std::vector<Extent>& listed() const { return listed_; }
  std::uint64_t ranges_left_out() const { return all_.size() - listed_.size(); }
  std::uint64_t fields_left_out() const { return fields_left_out_; }

  // Which of them show their fields.
  std::vector<bool> opened(const FieldTeller& teller) {
    std::vector<bool> open(listed_.size());
    for (const bool first : {true, false})
      for (std::size_t i = 0; i < listed_.size(); ++i) {
        if (container_.extents.is_raw(listed_[i]) || has_finding(listed_[i]) != first) continue;
        const std::uint64_t lines = teller.count(begin_of(listed_[i]), listed_[i].size);
        open[i] = lines <= left_;
        if (open[i])
          left_ -= lines;
        else
          ++fields_left_out_;
      }
    return open;
  }

 private:
  std::uint64_t begin_of(const Extent& extent) const {
    return sum(container_.base, extent.address);
  }
  bool has_finding(const Extent& extent) const {
    const auto it = std::ranges::lower_bound(findings_, begin_of(extent));
    return it != findings_.end() && *it - begin_of(extent) < extent.size;
  }

  const Container& container_;
  const std::vector<Extent>& all_;
  std::vector<Extent> listed_{};
  std::vector<std::uint64_t> findings_{};  // addresses
  std::uint64_t left_, fields_left_out_ = 0;
};

}  // namespace

FileMap limited_map(ContainerWalk& walk, const FieldRecording& recording, std::uint64_t lines) {
  constexpr std::size_t kMostShown = 128;
  FileMapReader reader;
  const Tell tell = [&](std::string_view message) { reader.take(message); };
  FieldTeller teller(walk.container().file(), recording, kMostShown, tell);
  RangeChoice choice(walk, lines);
  const std::vector<bool> open = choice.opened(teller);
  tell_ranges(walk, choice.listed(), tell);
  tell_fields(walk, choice.listed(), teller, [&](std::size_t i) { return open[i]; });
  tell_findings(walk.notes(), tell);
  MessageWriter end = end_of(walk);
  put_if_full(recording, end);
  tell(end.bytes());
  FileMap made = std::move(reader).map();
  made.ranges_left_out = choice.ranges_left_out();
  made.fields_left_out = choice.fields_left_out();
  return made;
}

void tell_map(const Bytes& file, const Limits& limits, const MapOptions& options,
              const Tell& tell) {
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) {
    MessageWriter end(kMapEnd);
    end.put(file.size());
    end.put(std::uint64_t{0});
    end.put(std::uint64_t{0});
    end.put(std::string_view("not an HDF5 file: the superblock signature is missing"));
    return tell(end.bytes());
  }
  std::unique_ptr<FieldRecording> recording;
  if (options.fields) recording = std::make_unique<FieldRecording>();
  ContainerWalk walk(file, *position, default_revision("hdf5"), kMapFindings, limits,
                     {.decode = options.fields, .only = options.only});
  if (options.fields) walk.notes().keep_places(kMostPlaced);
  walk.run();
  const std::vector<Extent> wanted = wanted_extents(walk, options);
  tell_ranges(walk, wanted, tell);
  if (recording) {
    constexpr std::size_t kMostShown = 4'096;
    FieldTeller teller(file, *recording, kMostShown, tell);
    tell_fields(walk, wanted, teller, [](std::size_t) { return true; });
    tell_findings(walk.notes(), tell);
  }
  MessageWriter end = end_of(walk);
  if (!walk.found()) end.put("no object " + *options.only);
  if (recording) put_if_full(*recording, end);
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
  while (message.more())
    made_.ranges.push_back({.address = message.number(),
                            .size = message.number(),
                            .kind = message.number(),
                            .object = message.number()});
  return message.good();
}

bool FileMapReader::fields(MessageReader& message) {
  while (message.more()) {
    const std::uint64_t range = message.number();
    FileField field{.address = message.number(), .size = message.number(), .range = range};
    field.name = message.text();
    field.value = message.text();
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
  const bool consistent = made_.consistent();
  if (!consistent) made_ = {};
  if (nonsense_ || !ended_ || !consistent)
    made_.trouble.emplace_back("the answer of the worker is incomplete");
  return std::move(made_);
}

}  // namespace hepcheck::hdf5
