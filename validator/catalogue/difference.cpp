#include "validator/catalogue/difference.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hepcheck {

namespace {

// Line numbers belong to one text of the specification, so they are not inherited.
constexpr std::string_view kNotInherited = "md_lines";
constexpr const char* kKinds[] = {"clause", "ambiguity"};

std::string text_of(const toml::table& entry, std::string_view key) {
  return entry[key].value_or<std::string>("");
}

// Sections are ordered by their numbers. The order of a section without a number is that of its
// chapter: directly after the numbered chapter that is listed before it.
using Order = std::vector<std::uint64_t>;
constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

std::optional<Order> numbers_of(std::string_view section) {
  Order numbers{0};
  bool digits = false;
  for (const char c : section) {
    if (c == '.' && digits) {
      numbers.push_back(0);
      digits = false;
    } else if (c >= '0' && c <= '9' && numbers.back() < 1'000'000) {
      numbers.back() = numbers.back() * 10 + static_cast<std::uint64_t>(c - '0');
      digits = true;
    } else {
      return std::nullopt;
    }
  }
  return digits ? std::optional(numbers) : std::nullopt;
}

class SectionOrder {
 public:
  explicit SectionOrder(const toml::table& catalogue) {
    Order last;
    const toml::array* const chapters = catalogue["chapter"].as_array();
    for (std::size_t i = 0; chapters && i < chapters->size(); ++i) {
      const std::string number =
          (*chapters)[i].is_table() ? text_of(*(*chapters)[i].as_table(), "number") : std::string();
      if (const auto numbers = numbers_of(number)) {
        last = *numbers;
      } else {
        Order& order = named_[number] = last;
        order.insert(order.end(), {kLast, i});
      }
    }
  }

  Order operator()(const std::string& section) const {
    if (const auto numbers = numbers_of(section)) return *numbers;
    const auto it = named_.find(section);
    return it == named_.end() ? Order{kLast} : it->second;
  }

 private:
  std::map<std::string, Order> named_;
};

// Reads the parts of a difference that are not entries, and remembers which of them were used.
class Changes {
 public:
  explicit Changes(const toml::table& catalogue) {
    if (const toml::node* const node = catalogue.get("dropped")) {
      const toml::array* const array = node->as_array();
      if (!array) complain("dropped is not an array");
      for (std::size_t i = 0; array && i < array->size(); ++i)
        if (const auto* id = (*array)[i].as_string(); !id)
          complain("dropped contains a value that is not a string");
        else if (!unused_dropped_.insert(id->get()).second)
          complain("dropped names " + id->get() + " twice");
    }
    dropped_ = unused_dropped_;
    read_map(catalogue, "renumbered", renumbered_);
    read_map(catalogue, "sections", sections_);
    for (const auto& [from, to] : renumbered_) unused_numbers_.insert(from);
    for (const auto& [id, section] : sections_) unused_sections_.insert(id);
  }

  // Removes dropped clauses from those that an inherited ambiguity names. Returns false if none is
  // left: then the ambiguity is settled.
  bool keep_clauses(toml::table& ambiguity) const {
    toml::array* const clauses = ambiguity["clauses"].as_array();
    if (!clauses || clauses->empty()) return true;
    toml::array kept;
    for (const toml::node& node : *clauses)
      if (!dropped_.contains(node.value_or<std::string>(""))) kept.push_back(node);
    if (kept.empty() && !ambiguity.contains("basis")) return false;
    *clauses = std::move(kept);
    return true;
  }

  bool drops(const std::string& id) {
    unused_dropped_.erase(id);
    return dropped_.contains(id);
  }

  void move(toml::table& entry) {
    const std::string id = text_of(entry, "id");
    entry.insert_or_assign("section", renumber(text_of(entry, "section")));
    if (toml::array* const also = entry["also_in"].as_array())
      for (toml::node& each : *also)
        if (auto* const section = each.as_string()) *section = renumber(section->get());
    const auto it = sections_.find(id);
    if (it == sections_.end()) return;
    unused_sections_.erase(id);
    if (it->second == text_of(entry, "section")) complain("sections does not change " + id);
    entry.insert_or_assign("section", it->second);
  }

  // The first thing that is wrong, after all entries have been seen.
  std::optional<std::string> complaint() {
    if (!unused_dropped_.empty())
      complain("dropped names " + *unused_dropped_.begin() + ", which the base does not have");
    if (!unused_sections_.empty())
      complain("sections names " + *unused_sections_.begin() + ", which is not inherited");
    if (!unused_numbers_.empty())
      complain("renumbered names section " + *unused_numbers_.begin() +
               ", which no inherited entry has");
    return complaint_;
  }

 private:
  std::string renumber(const std::string& section) {
    const auto it = renumbered_.find(section);
    if (it == renumbered_.end()) return section;
    unused_numbers_.erase(section);
    return it->second;
  }

  void read_map(const toml::table& catalogue, const char* key,
                std::map<std::string, std::string>& into) {
    const toml::node* const node = catalogue.get(key);
    if (!node) return;
    const toml::table* const table = node->as_table();
    if (!table) return complain(std::string(key) + " is not a table");
    for (const auto& [from, to] : *table)
      if (const auto* text = to.as_string())
        into.emplace(from.str(), text->get());
      else
        complain(std::string(key) + " contains a value that is not a string");
  }

  void complain(std::string what) {
    if (!complaint_) complaint_ = std::move(what);
  }

  std::set<std::string> dropped_, unused_dropped_, unused_numbers_, unused_sections_;
  std::map<std::string, std::string> renumbered_, sections_;
  std::optional<std::string> complaint_;
};

bool gives(const toml::table& catalogue, std::string_view kind, const std::string& id) {
  const toml::array* const entries = catalogue[kind].as_array();
  return entries && std::ranges::any_of(*entries, [&](const toml::node& node) {
           return node.is_table() && text_of(*node.as_table(), "id") == id;
         });
}

// Lays the keys of `given` over the inherited entry. A key that changes nothing is named.
std::optional<std::string> override_entry(toml::table& inherited, const toml::table& given) {
  if (given.size() < 2) return "the entry changes nothing";
  for (const auto& [key, value] : given) {
    if (key.str() == "id") continue;
    const toml::node* const old = inherited.get(key.str());
    const auto same = [&](const auto& typed) {
      using Node = std::remove_cvref_t<decltype(typed)>;
      return old && old->is<typename toml::impl::unwrap_node<Node>>() &&
             *old->as<typename toml::impl::unwrap_node<Node>>() == typed;
    };
    if (value.visit(same)) return std::string(key.str()) + " is the same in the base";
    inherited.insert_or_assign(key.str(), value);
  }
  return std::nullopt;
}

}  // namespace

Result<toml::table> expand_difference(const toml::table& catalogue, const toml::table& base) {
  Changes changes(catalogue);
  toml::table whole = catalogue;
  for (const char* key : {"dropped", "renumbered", "sections"}) whole.erase(key);
  if (!catalogue.contains("chapter"))
    if (const toml::node* const chapters = base.get("chapter"))
      whole.insert_or_assign("chapter", *chapters);
  const SectionOrder order(whole);

  for (const char* kind : kKinds) {
    std::vector<toml::table> entries;
    std::map<std::string, std::size_t> inherited;
    std::set<std::string> dropped;
    if (const toml::array* const from = base[kind].as_array())
      for (const toml::node& node : *from) {
        if (!node.is_table()) continue;
        toml::table entry = *node.as_table();
        const std::string id = text_of(entry, "id");
        if (changes.drops(id)) {
          dropped.insert(id);
          continue;
        }
        if (!changes.keep_clauses(entry) && !gives(catalogue, kind, id)) continue;
        entry.erase(kNotInherited);
        changes.move(entry);
        inherited.emplace(id, entries.size());
        entries.push_back(std::move(entry));
      }
    std::set<std::string> given_ids;
    if (const toml::node* const given = catalogue.get(kind)) {
      const toml::array* const array = given->as_array();
      if (!array) return failure("catalogue", std::string(kind) + " is not an array");
      for (const toml::node& node : *array) {
        if (!node.is_table())
          return failure("catalogue", std::string("an entry of ") + kind + " is not a table");
        const toml::table& entry = *node.as_table();
        const std::string id = text_of(entry, "id");
        const std::string where = std::string(kind) + " \"" + id + "\"";
        if (!given_ids.insert(id).second) return failure(where, "the id occurs twice");
        if (dropped.contains(id)) return failure(where, "it is both dropped and given");
        if (const auto it = inherited.find(id); it == inherited.end())
          entries.push_back(entry);
        else if (const auto wrong = override_entry(entries[it->second], entry))
          return failure(where, *wrong);
      }
    }
    std::ranges::stable_sort(
        entries, {}, [&](const toml::table& entry) { return order(text_of(entry, "section")); });
    toml::array sorted;
    for (toml::table& entry : entries) sorted.push_back(std::move(entry));
    if (sorted.empty())
      whole.erase(kind);
    else
      whole.insert_or_assign(kind, std::move(sorted));
  }
  if (const auto wrong = changes.complaint()) return failure("catalogue", *wrong);
  return whole;
}

}  // namespace hepcheck
