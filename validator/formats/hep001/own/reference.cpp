#include "validator/formats/hep001/own/reference.h"

#include <algorithm>
#include <expected>
#include <format>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/global_heap.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hep001::own {

namespace {

using hdf5::kUndefined;

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{0}; });
}

void dangle(std::string why, Reference& reference) {
  reference.target = Reference::Target::kDangling;
  reference.why = std::move(why);
}

void resolve(std::uint64_t address, Context& context, Reference& reference) {
  if (address == 0 || address == kUndefined) return dangle("it names no object", reference);
  const TargetObject& target = context.target(address);
  if (!target.unreadable.empty())
    return dangle(std::format("the object at {}: {}", address, target.unreadable), reference);
  if (target.kind == ObjectKind::kUnknown)
    return dangle(std::format("the object at {} is of no known kind", address), reference);
  if (target.links == 0) return dangle("the object has been deleted", reference);
  reference.target = Reference::Target::kObject;
  reference.token = token_at(address);
  reference.object = target.kind;
}

// A copy of an object of a heap; the error is the reason why there is none.
std::expected<std::vector<std::byte>, std::string> heap_object(std::uint64_t collection,
                                                               std::uint32_t index,
                                                               Context& context) {
  const Attempt attempt(context);
  const auto found = context.walk.heaps().object(collection, index, /*used=*/false);
  switch (found.answer) {
    case hdf5::GlobalHeaps::Answer::kFound:
      // Many references may name the same object.
      if (!context.container().charge(found.data.size()))
        return std::unexpected("the file refers to the same bytes repeatedly");
      return std::vector<std::byte>(found.data.bytes.begin(), found.data.bytes.end());
    case hdf5::GlobalHeaps::Answer::kMissing:
      return std::unexpected(std::format("the heap at {} has no object {}", collection, index));
    default:
      return std::unexpected(std::format("the heap at {}: {}", collection,
                                         attempt.trouble().value_or("it is refused")));
  }
}

Reference legacy(ReferenceKind kind, std::span<const std::byte> stored, Context& context) {
  Reference reference;
  if (all_zero(stored)) return reference;
  const bool object = kind == ReferenceKind::kLegacyObject;
  reference.kind = object ? Reference::Kind::kObject : Reference::Kind::kRegion;
  const unsigned width = context.container().offset_size;
  hdf5::Cursor read(hdf5::Region{stored});
  std::uint64_t address = read.address(width);
  if (!object) {
    const std::uint32_t index = read.u32();
    const auto data = heap_object(address, index, context);
    if (!data) {
      dangle(data.error(), reference);
      return reference;
    }
    hdf5::Cursor of_data(hdf5::Region{*data});
    address = of_data.address(width);
    if (!of_data.good()) address = kUndefined;
  }
  resolve(address, context, reference);
  return reference;
}

// The type, flags, and data of a revised reference; longer ones have their data in a heap. Whether
// the reference has such a form.
struct Revised {
  unsigned kind = 0, flags = 0;
  std::vector<std::byte> data{};
};

std::expected<Revised, std::string> revised_of(std::span<const std::byte> stored,
                                               Context& context) {
  constexpr unsigned kObject = 2, kExternal = 1;
  hdf5::Cursor read(hdf5::Region{stored});
  Revised made{.kind = read.u8(), .flags = read.u8()};
  if (made.kind == kObject && (made.flags & kExternal) == 0) {
    const auto rest = stored.subspan(std::min<std::size_t>(2, stored.size()));
    made.data.assign(rest.begin(), rest.end());
    return made;
  }
  const std::uint64_t size = read.u32();
  const std::uint64_t collection = read.address(context.container().offset_size);
  const std::uint32_t index = read.u32();
  if (!read.good()) return std::unexpected("a reference that is too short");
  auto data = heap_object(collection, index, context);
  if (!data) return std::unexpected(data.error());
  if (data->size() < size)
    return std::unexpected(
        std::format("a reference of {} bytes in an object of {}", size, data->size()));
  made.data = std::move(*data);
  return made;
}

Reference standard(std::span<const std::byte> stored, Context& context,
                   std::optional<std::string>& trouble) {
  Reference reference;
  if (all_zero(stored)) return reference;
  const auto found = revised_of(stored, context);
  if (!found) {
    trouble = found.error();
    return reference;
  }
  switch (found->kind) {
    case 2: reference.kind = Reference::Kind::kObject; break;
    case 3: reference.kind = Reference::Kind::kRegion; break;
    case 4: reference.kind = Reference::Kind::kAttribute; break;
    default: trouble = std::format("a reference of kind {}", found->kind); return reference;
  }
  hdf5::Cursor read(hdf5::Region{found->data});
  const unsigned token_bytes = read.u8();
  hdf5::Cursor token(read.take(token_bytes));
  if ((found->flags & 1U) != 0) {
    const auto name = read.take(read.u16()).bytes;
    reference.target = Reference::Target::kElsewhere;
    reference.file = until_zero({reinterpret_cast<const char*>(name.data()), name.size()});
    if (!read.good()) trouble = "a reference that is too short";
    return reference;
  }
  const std::uint64_t address = token.address(std::min(8U, context.container().offset_size));
  if (!read.good() || !token.good() || token_bytes < context.container().offset_size)
    trouble = "a reference that is too short";
  else
    resolve(address, context, reference);
  return reference;
}

}  // namespace

void read_references(std::span<const std::byte> stored, std::size_t element_bytes, Context& context,
                     Attribute& into) {
  if (element_bytes == 0) return;
  for (std::size_t at = 0; at + element_bytes <= stored.size(); at += element_bytes) {
    const auto element = stored.subspan(at, element_bytes);
    into.references.push_back(into.type.reference == ReferenceKind::kStandard
                                  ? standard(element, context, into.unreadable)
                                  : legacy(into.type.reference, element, context));
    if (!into.unreadable) continue;
    into.references.clear();
    return;
  }
}

}  // namespace hepcheck::hep001::own
