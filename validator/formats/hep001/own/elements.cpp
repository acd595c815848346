#include "validator/formats/hep001/own/elements.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/formats/hdf5/global_heap.h"
#include "validator/integers.h"

namespace hepcheck::hep001::own {

namespace {

constexpr unsigned kMostLevels = 64;
constexpr std::uint64_t kPartBytes = std::uint64_t{64} << 10;

}  // namespace

HeapText heap_text(std::span<const std::byte> element, Context& context) {
  Elements elements(context);
  std::string_view text;
  HeapText made;
  made.trouble = elements.text(element, text);
  if (!made.trouble && text.data()) made.text = std::string(text);
  return made;
}

Elements::Elements(Context& context)
    : context_(context), budget_(sum(product(context.file.size(), 64), std::uint64_t{1} << 26)) {}

std::optional<std::span<std::byte>> Elements::room(std::uint64_t bytes) {
  if (bytes > budget_) return std::nullopt;
  budget_ -= bytes;
  const std::uint64_t aligned = rounded_up(bytes, 16);
  if (parts_.empty() || aligned > left_) {
    const std::uint64_t size = std::max(aligned, kPartBytes);
    parts_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    free_ = parts_.back().get();
    left_ = size;
  }
  std::byte* const begin = free_;
  free_ += aligned;
  left_ -= aligned;
  return std::span(begin, bytes);
}

std::optional<std::string> Elements::data(std::span<const std::byte> stored,
                                          std::uint64_t element_bytes, Data& into) {
  hdf5::Cursor read(hdf5::Region{stored});
  into.count = read.u32();
  const std::uint64_t collection = read.address(context_.container().offset_size);
  const std::uint32_t index = read.u32();
  if (!read.good()) return "an element that is too short";
  into.null = collection == 0;
  if (into.null || into.count == 0) {
    into.count = 0;
    return std::nullopt;
  }
  const Attempt attempt(context_);
  const hdf5::GlobalHeaps::Found found =
      context_.walk.heaps().object(collection, index, /*used=*/false);
  if (found.answer == hdf5::GlobalHeaps::Answer::kMissing)
    return std::format("the heap at {} has no object {}", collection, index);
  if (found.answer == hdf5::GlobalHeaps::Answer::kNotExamined)
    return std::format("the heap at {}: {}", collection,
                       attempt.trouble().value_or("it is refused"));
  const std::uint64_t bytes = product(into.count, element_bytes);
  if (bytes > found.data.size())
    return std::format("{} elements of {} bytes in an object of {}", into.count, element_bytes,
                       found.data.size());
  into.bytes = found.data.bytes.first(bytes);
  return std::nullopt;
}

std::optional<std::string> Elements::text(std::span<const std::byte> stored,
                                          std::string_view& into) {
  Data found;
  if (auto why = data(stored, 1, found)) return why;
  into = found.null ? std::string_view() : std::string_view("");
  if (found.bytes.empty()) return std::nullopt;
  const auto length =
      static_cast<std::size_t>(std::ranges::find(found.bytes, std::byte{0}) - found.bytes.begin());
  const auto made = room(length + 1);
  if (!made) return "the elements refer to the same data repeatedly";
  std::memcpy(made->data(), found.bytes.data(), length);
  (*made)[length] = std::byte{0};
  into = {reinterpret_cast<const char*>(made->data()), length};
  return std::nullopt;
}

std::optional<std::string> Elements::sequence(const ElementForm& form,
                                              std::span<const std::byte> stored,
                                              std::span<std::byte> into, unsigned level) {
  if (!form.base || level >= kMostLevels) return "sequences nested too deep";
  Data found;
  if (auto why = data(stored, form.base->stored_size, found)) return why;
  const std::size_t count = found.count;
  const std::byte* items = nullptr;
  if (count > 0) {
    const auto made = room(product(count, form.base->size));
    if (!made) return "the elements refer to the same data repeatedly";
    items = made->data();
    if (form.base->copied()) {
      std::ranges::copy(found.bytes, made->begin());
    } else {
      // The heap keeps an object only until the next one is asked for.
      const auto copy = room(found.bytes.size());
      if (!copy) return "the elements refer to the same data repeatedly";
      std::ranges::copy(found.bytes, copy->begin());
      for (std::size_t i = 0; i < count; ++i)
        if (auto why = one(*form.base, copy->subspan(i * form.base->stored_size),
                           made->subspan(i * form.base->size), level + 1))
          return why;
    }
  }
  std::memcpy(into.data(), &count, sizeof count);
  std::memcpy(into.data() + sizeof count, &items, sizeof items);
  return std::nullopt;
}

std::optional<std::string> Elements::one(const ElementForm& form, std::span<const std::byte> stored,
                                         std::span<std::byte> into, unsigned level) {
  if (stored.size() < form.stored_size || into.size() < form.size)
    return "an element that is too short";
  stored = stored.first(form.stored_size);
  into = into.first(form.size);
  switch (form.kind) {
    case ElementForm::Kind::kCopy: std::ranges::copy(stored, into.begin()); return std::nullopt;
    case ElementForm::Kind::kReference: {
      const std::size_t common = std::min(stored.size(), into.size());
      std::ranges::fill(into, std::byte{0});
      std::ranges::copy(stored.first(common), into.begin());
      return std::nullopt;
    }
    case ElementForm::Kind::kString: {
      std::string_view found;
      if (auto why = text(stored, found)) return why;
      const char* const begin = found.data();
      std::memcpy(into.data(), &begin, sizeof begin);
      return std::nullopt;
    }
    case ElementForm::Kind::kSequence: return sequence(form, stored, into, level);
    case ElementForm::Kind::kArray:
      for (std::uint64_t i = 0; i < form.count; ++i)
        if (auto why = one(*form.base, stored.subspan(i * form.base->stored_size),
                           into.subspan(i * form.base->size), level + 1))
          return why;
      return std::nullopt;
    case ElementForm::Kind::kCompound:
      std::ranges::fill(into, std::byte{0});
      for (const ElementForm::Member& member : form.members) {
        if (!member.form || member.stored_offset > stored.size() || member.offset > into.size())
          return "a member outside its element";
        if (auto why = one(*member.form, stored.subspan(member.stored_offset),
                           into.subspan(member.offset), level + 1))
          return why;
      }
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> Elements::convert(const ElementForm& form,
                                             std::span<const std::byte> stored,
                                             std::span<std::byte> into) {
  for (std::size_t at = 0, to = 0; at + form.stored_size <= stored.size() && form.stored_size > 0;
       at += form.stored_size, to += form.size) {
    if (to > into.size()) return "an element that is too short";
    if (auto why = one(form, stored.subspan(at), into.subspan(to), 0)) return why;
  }
  return std::nullopt;
}

}  // namespace hepcheck::hep001::own
