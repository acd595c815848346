// Writes JSON piece by piece, for documents that are too large to be held as one value.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::reports {

// Produces the output of dump() of the whole value: complete values, and objects and arrays that
// are opened and closed around them.
class JsonStream {
 public:
  enum class Form {
    kIndented,  // as dump(1)
    kCompact,   // as dump()
    kScript,    // the same for a script element of HTML: nothing in it can end the element or begin
                // another
  };

  JsonStream(std::ostream& out, Form form) : out_(out), form_(form) {}

  void begin_object();
  void begin_array();
  void end();  // of the innermost container
  void key(std::string_view name);
  void value(const nlohmann::ordered_json& value);
  // Opens both.
  void member(std::string_view name, const nlohmann::ordered_json& value);
  // Adds all members of an object to this one.
  void members(const nlohmann::ordered_json& object);
  // An element in this layout and at this depth, from rendered().
  void element(std::string_view text);
  std::string rendered(const nlohmann::ordered_json& value) const;

 private:
  struct Open {
    char end;
    bool empty = true;
  };

  bool indented() const { return form_ == Form::kIndented; }
  void begin(char first, char last);
  // The separator before a key, or before a value without a key.
  void separate();
  void break_line();

  std::ostream& out_;
  Form form_;
  std::vector<Open> open_{};
  bool after_key_ = false;
};

// "key": [...], whose elements are written by each(item).
template <class Items, class Each>
void write_array(JsonStream& to, std::string_view key, const Items& items, Each each) {
  to.key(key);
  to.begin_array();
  for (const auto& item : items) each(item);
  to.end();
}

}  // namespace hepcheck::reports
