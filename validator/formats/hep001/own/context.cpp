#include "validator/formats/hep001/own/context.h"

#include <algorithm>

#include "validator/formats/hdf5/object_parts.h"

namespace hepcheck::hep001::own {

namespace {

// The specification that describes every structure.
constexpr std::string_view kContainer = "hdf5-file-format-4.0";
// Per clause: more are only counted.
constexpr std::uint64_t kMostFindings = 1'000;

}  // namespace

Context::Context(const Bytes& bytes, std::uint64_t position, const Limits& reading_limits)
    : file(bytes), limits(reading_limits),
      walk(bytes, position, *find_specification(kContainer), kMostFindings, limits, {}) {
  container().read_for_values();
}

std::optional<hdf5::ObjectHeader> Context::header(std::uint64_t address,
                                                  std::optional<std::string>& trouble) {
  if (const auto known = refused_.find(address); known != refused_.end()) {
    trouble = known->second;
    return std::nullopt;
  }
  const Attempt attempt(*this);
  std::optional<hdf5::ObjectHeader> header = walk.headers().read(address);
  trouble = attempt.trouble();
  if (!header && !trouble) trouble = "its header is refused";
  // Only builds of libhdf5 for its own tests know this type.
  const hdf5::Message* bogus = header ? header->find(hdf5::MessageType::kBogus) : nullptr;
  if (bogus && (bogus->flags & hdf5::Message::kFailAlways) != 0)
    trouble = "a message of the unknown type 0x9 requires readers to leave the object alone";
  if (trouble) {
    header.reset();
    refused_.emplace(address, *trouble);
  }
  return header;
}

const TargetObject& Context::target(std::uint64_t address) {
  const auto [it, fresh] = targets_.try_emplace(address);
  if (!fresh) return it->second;
  std::optional<std::string> trouble;
  const std::optional<hdf5::ObjectHeader> read = header(address, trouble);
  if (read)
    it->second = {.kind = own::kind_of(*read), .links = read->references, .unreadable = {}};
  else
    it->second.unreadable = *trouble;
  return it->second;
}

ReadType Context::type(const hdf5::Datatype& type, std::optional<std::string>& trouble) {
  if (!type.number) return read_datatype(type, limits, trouble);
  if (*type.number >= types_.size()) types_.resize(*type.number + 1);
  std::optional<ReadType>& known = types_[*type.number];
  if (known) return *known;
  ReadType read = read_datatype(type, limits, trouble);
  if (!trouble) known = read;
  return read;
}

std::optional<std::string> Attempt::trouble() const {
  if (std::string text = context_.walk.notes().trouble(before_); !text.empty()) return text;
  if (context_.container().exhausted())
    return "the file cannot be read, or refers to the same bytes repeatedly";
  return std::nullopt;
}

ObjectToken token_at(std::uint64_t address) {
  ObjectToken token;
  for (std::size_t i = 0; i < sizeof address; ++i)
    token.bytes[i] = static_cast<std::uint8_t>(address >> 8 * i);
  return token;
}

std::uint64_t address_of(const ObjectToken& token) {
  std::uint64_t address = 0;
  for (std::size_t i = sizeof address; i-- > 0;) address = address << 8 | token.bytes[i];
  return address;
}

ObjectKind kind_of(const hdf5::ObjectHeader& header) {
  switch (hdf5::kind_of(header)) {
    case hdf5::ObjectKind::kGroup: return ObjectKind::kGroup;
    case hdf5::ObjectKind::kDataset: return ObjectKind::kDataset;
    case hdf5::ObjectKind::kCommittedType: return ObjectKind::kNamedDatatype;
    default: return ObjectKind::kUnknown;
  }
}

std::string until_zero(std::string text) {
  text.erase(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace hepcheck::hep001::own
