#include "validator/formats/arrow/json.h"

#include <algorithm>
#include <charconv>

#include "validator/utf8.h"

namespace hepcheck::arrow {

namespace {

bool is_json_digit(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
  if (is_json_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  }
}

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  JsonState read(Json* into) {
    if (!is_utf8(text_)) return JsonState::kBroken;
    const bool good = value(into, 0);
    if (too_deep_) return JsonState::kTooDeep;
    space();
    return good && at_ == text_.size() ? JsonState::kSound : JsonState::kBroken;
  }

 private:
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").contains(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  // Nested at most kMostJsonDepth times.
  bool value(Json* into, std::size_t depth) {
    space();
    if (at_ == text_.size()) return false;
    switch (text_[at_]) {
      case '{': return deeper(depth) && object(into, depth + 1);
      case '[': return deeper(depth) && array(into, depth + 1);
      case '"':
        if (into) into->kind = Json::Kind::kString;
        return string(into ? &into->text : nullptr);
      case 't': return constant("true", into, Json::Kind::kBool);
      case 'f': return constant("false", into, Json::Kind::kBool);
      case 'n': return constant("null", into, Json::Kind::kNull);
      default: return number(into);
    }
  }

  bool deeper(std::size_t depth) {
    too_deep_ |= depth >= kMostJsonDepth;
    return !too_deep_;
  }

  bool constant(std::string_view name, Json* into, Json::Kind kind) {
    if (into) into->kind = kind;
    return word(name);
  }

  bool object(Json* into, std::size_t depth) {
    if (into) into->kind = Json::Kind::kObject;
    take('{');
    space();
    if (take('}')) return true;
    do {
      space();
      if (!string(into ? &into->names.emplace_back() : nullptr)) return false;
      space();
      if (!take(':') || !value(into ? &into->elements.emplace_back() : nullptr, depth))
        return false;
      space();
    } while (take(','));
    return take('}');
  }

  bool array(Json* into, std::size_t depth) {
    if (into) into->kind = Json::Kind::kArray;
    take('[');
    space();
    if (take(']')) return true;
    do {
      if (!value(into ? &into->elements.emplace_back() : nullptr, depth)) return false;
      space();
    } while (take(','));
    return take(']');
  }

  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_json_digit(text_[at_])) ++at_;
    return at_ > begin;
  }

  bool number(Json* into) {
    const std::size_t begin = at_;
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    if (!into) return true;
    into->kind = Json::Kind::kNumber;
    into->text = text_.substr(begin, at_ - begin);
    return true;
  }

  bool string(std::string* into) {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\') {
        if (!escape(into)) return false;
      } else if (into) {
        *into += c;
      }
    }
    return false;
  }

  bool escape(std::string* into) {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kShort = "\"\\/bfnrt", kMeaning = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = kShort.find(c); i != kShort.npos) {
      if (into) *into += kMeaning[i];
      return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !code_unit(code)) return false;
    const bool first_of_two = code >= 0xD800 && code < 0xDC00;
    std::uint32_t second = 0;
    if (const std::size_t before = at_; first_of_two && word("\\u")) {
      if (!code_unit(second)) return false;
      if (second >= 0xDC00 && second < 0xE000)
        code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
      else
        at_ = before;  // another escape
    }
    if (into) append_utf8(*into, code);
    return true;
  }

  bool code_unit(std::uint32_t& code) {
    if (text_.size() - at_ < 4) return false;
    code = 0;
    for (int i = 0; i < 4; ++i) {
      const int digit = hex_value(text_[at_++]);
      if (digit < 0) return false;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool too_deep_ = false;
};

}  // namespace

const Json* Json::member(std::string_view name) const {
  const auto it = std::find(names.rbegin(), names.rend(), name);
  return it == names.rend() ? nullptr : &elements[static_cast<std::size_t>(names.rend() - it) - 1];
}

std::optional<std::int64_t> Json::integer() const {
  if (kind != Kind::kNumber) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

JsonState read_json(std::string_view text, Json* into) { return JsonReader(text).read(into); }

}  // namespace hepcheck::arrow
