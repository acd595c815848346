// JSON written piece by piece, for documents that are too large to be held as one value.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::reports {

// Writes what dump() of the whole value would: pieces that are values, and around them objects and
// arrays that are opened and closed.
class JsonStream {
 public:
  enum class Form {
    kIndented,  // as dump(1)
    kCompact,   // as dump()
    kScript,    // the same for a script element of HTML: nothing that could end it or begin another
  };

  JsonStream(std::ostream& out, Form form) : out_(out), form_(form) {}

  void begin_object();
  void begin_array();
  void end();  // of the innermost of them
  void key(std::string_view name);
  void value(const nlohmann::ordered_json& value);
  // Both at once.
  void member(std::string_view name, const nlohmann::ordered_json& value);
  // All that an object holds, as members of this one.
  void members(const nlohmann::ordered_json& object);
  // An element as it comes out in this form and at this depth, from rendered().
  void element(std::string_view text);
  std::string rendered(const nlohmann::ordered_json& value) const;

 private:
  struct Open {
    char end;
    bool empty = true;
  };

  bool indented() const { return form_ == Form::kIndented; }
  void begin(char first, char last);
  // What stands before a key, or a value that has none.
  void separate();
  void break_line();

  std::ostream& out_;
  Form form_;
  std::vector<Open> open_{};
  bool after_key_ = false;
};

// "key": [...], whose elements each(item) writes.
template <class Items, class Each>
void write_array(JsonStream& to, std::string_view key, const Items& items, Each each) {
  to.key(key);
  to.begin_array();
  for (const auto& item : items) each(item);
  to.end();
}

}  // namespace hepcheck::reports
