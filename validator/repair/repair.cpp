#include "validator/repair/repair.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "validator/catalogue/selection.h"
#include "validator/shorten.h"

namespace hepcheck {

namespace {

// --- messages: numbers of eight bytes, texts and lists after their lengths

class Encoder {
 public:
  void operator()(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <class Part>
  void operator()(const std::vector<Part>& list);
  std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_{};
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  void operator()(std::uint64_t& number) {
    if (rest_.size() < sizeof number) {
      right_ = false;
      number = 0;
      return;
    }
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
  }
  void operator()(std::string& text) {
    std::uint64_t size = 0;
    (*this)(size);
    if (size > rest_.size()) right_ = false;
    text = rest_.substr(0, right_ ? size : 0);
    rest_.remove_prefix(text.size());
  }
  template <class Part>
  void operator()(std::vector<Part>& list);
  bool done() const { return right_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool right_ = true;
};

// The members of each part, in one place for both directions.
template <class Archive, class Part>
void members(Archive& archive, Part& part) {
  using Plain = std::remove_const_t<Part>;
  if constexpr (std::is_same_v<Plain, std::string>) {
    archive(part);
  } else if constexpr (std::is_same_v<Plain, RepairChange>) {
    archive(part.clause), archive(part.object), archive(part.attribute), archive(part.act);
    archive(part.from), archive(part.to), archive(part.code), archive(part.c);
  } else if constexpr (std::is_same_v<Plain, RepairLeft>) {
    archive(part.clause), archive(part.object), archive(part.attribute), archive(part.where);
    archive(part.observed), archive(part.expected), archive(part.why), archive(part.options);
  } else if constexpr (std::is_same_v<Plain, RepairedSubject>) {
    archive(part.kind), archive(part.path), archive(part.spec), archive(part.changes);
    archive(part.left), archive(part.notes);
  } else {
    static_assert(std::is_same_v<Plain, ValueDigest>);
    archive(part.subject), archive(part.path), archive(part.values), archive(part.sha256);
    archive(part.trouble);
  }
}

template <class Part>
void Encoder::operator()(const std::vector<Part>& list) {
  (*this)(std::uint64_t{list.size()});
  for (const Part& part : list) members(*this, part);
}

template <class Part>
void Decoder::operator()(std::vector<Part>& list) {
  std::uint64_t size = 0;
  (*this)(size);
  // Each part takes at least eight bytes.
  if (size > rest_.size() / sizeof size) right_ = false;
  for (std::uint64_t i = 0; right_ && i < size; ++i) members(*this, list.emplace_back());
}

}  // namespace

std::string_view RepairDecisions::option_of(Kind kind) {
  constexpr std::array<std::string_view, 5> kOptions = {"--fill", "--range", "--rename", "--set",
                                                        "--drop"};
  return kOptions[static_cast<std::size_t>(kind)];
}

std::optional<std::string> RepairDecisions::add(Kind kind, const std::string& text) {
  std::string place = text, value;
  if (kind != Kind::kDrop) {
    // A value may contain the sign, a name rarely; a fill value is the part after the first.
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 ||
        (kind == Kind::kRange && !text.substr(sign).contains(':')))
      return kind == Kind::kFill    ? "expected COLUMN=VALUE"
             : kind == Kind::kRange ? "expected COLUMN=MIN:MAX"
             : kind == Kind::kSet   ? "expected OBJECT@ATTRIBUTE=VALUE"
                                    : "expected OLD=NEW";
    place = text.substr(0, sign);
    value = text.substr(sign + 1);
  }
  if (!all_.emplace(std::pair(kind, place), Given{.value = value, .text = text}).second)
    return "\"" + place + "\" is given twice";
  return std::nullopt;
}

std::optional<std::string> RepairDecisions::find(Kind kind, const std::string& place) const {
  const auto found = all_.find({kind, place});
  if (found == all_.end()) return std::nullopt;
  found->second.used = true;
  return found->second.value;
}

std::vector<std::string> RepairDecisions::unused() const {
  std::vector<std::string> texts;
  for (const auto& [place, given] : all_)
    if (!given.used) texts.push_back(std::string(option_of(place.first)) + " " + given.text);
  return texts;
}

bool is_selected(const std::set<std::string, std::less<>>& only, const Clause& clause) {
  return only.empty() ||
         std::ranges::any_of(only, [&](const std::string& word) { return names(word, clause); });
}

std::string encoded(const std::vector<RepairedSubject>& subjects,
                    const std::vector<std::string>& unused) {
  Encoder encoder;
  encoder(subjects);
  encoder(unused);
  return std::move(encoder).take();
}

Result<RepairMessage> decoded_repairs(std::string_view message) {
  RepairMessage made;
  Decoder decoder(message);
  decoder(made.subjects);
  decoder(made.unused);
  if (!decoder.done()) return failure("the worker process sent an invalid answer");
  return made;
}

std::string encoded(const std::vector<ValueDigest>& digests) {
  Encoder encoder;
  encoder(digests);
  return std::move(encoder).take();
}

Result<std::vector<ValueDigest>> decoded_digests(std::string_view message) {
  std::vector<ValueDigest> made;
  Decoder decoder(message);
  decoder(made);
  if (!decoder.done()) return failure("the worker process sent an invalid answer");
  return made;
}

}  // namespace hepcheck
