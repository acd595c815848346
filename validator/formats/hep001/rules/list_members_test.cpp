// Every group and member of nested lists in another form, alone, and the members of one kind at all
// levels: everything said of them equals the golden file, which has a line for each object with the
// number of clauses that say something, and a digest of what they say.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hep001/testing/rule_testing.h"
#include "validator/formats/hep001/testing/said.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001::list_members {
namespace {

const Specification& newest() { return *find_specification("hep001-2026-07-09"); }

void add_level(TableBuilder& t, const std::string& path, const Cells& offsets, const Cells& mask) {
  t.add_group(path);
  t.set(path, ascii("CLASS", "LIST_COLUMN"));
  t.set(path, ascii("KIND", "OFFSETS"));
  t.add_dataset(path + "/OFFSETS", integer_type(8, false), {offsets.size()}, offsets);
  t.add_dataset(path + "/MASK", boolean_type(), {mask.size()}, mask);
}

// Lists of lists of numbers, and of strings; other columns before and behind them.
TableBuilder nested() {
  TableBuilder t("/t", 4);
  t.add_column("a", integer_type(4, true), {1, 2, 3, 4}, -1);
  add_level(t, "numbers", {0, 2, 2, 3, 5}, {1, 0, 1, 1});
  add_level(t, "numbers/VALUES", {0, 1, 3, 3, 4, 6}, {1, 1, 0, 1, 1});
  t.add_dataset("numbers/VALUES/VALUES", integer_type(2, true), {6}, {1, 2, 3, 4, 5, 6});
  t.set("numbers/VALUES/VALUES", attribute("valid_max", integer_type(2, true), Cell(6)));
  add_level(t, "words", {0, 1, 1, 3, 4}, {1, 0, 1, 1});
  add_level(t, "words/VALUES", {0, 2, 3, 3, 4}, {1, 1, 0, 1});
  const std::string texts = "words/VALUES/VALUES";
  t.add_group(texts);
  t.set(texts, ascii("CLASS", "STRING_VALUES"));
  t.add_dataset(texts + "/OFFSETS", integer_type(8, false), {5}, {0, 2, 2, 4, 5});
  t.add_dataset(texts + "/MASK", boolean_type(), {4}, {1, 0, 1, 1});
  t.add_dataset(texts + "/CHARS", integer_type(1, false), {5}, {'a', 'b', 0xC3, 0xA9, 'c'});
  t.add_column("z", integer_type(4, true), {1, 2, 3, 4}, -1);
  t.list_columns();
  std::vector<std::string> names = string_elements(t.attribute("", "column-order"));
  names.insert(names.end(), {"numbers", "words"});
  t.set("", utf8_list("column-order", names));
  return t;
}

using Change = std::function<void(TableBuilder&, const std::string&)>;

// Of the link, whatever it leads to.
const std::vector<Change>& link_changes() {
  static const std::vector<Change> all{
      [](TableBuilder& t, const std::string& path) { t.remove(path); },
      [](TableBuilder& t, const std::string& path) { t.rename(path, "Other"); },
      [](TableBuilder& t, const std::string& path) {
        t.remove(path);
        t.add_soft_link(path, "/t/a");
      },
      [](TableBuilder& t, const std::string& path) {
        t.remove(path);
        t.add_external_link(path, "other.h5", "/x");
      },
      [](TableBuilder& t, const std::string& path) {
        t.remove(path);
        t.add_user_link(path);
      },
      [](TableBuilder& t, const std::string& path) {
        t.remove(path);
        t.add_named_datatype(path);
      },
      [](TableBuilder& t, const std::string& path) {
        t.remove(path);
        t.add_group(path);
      },
      [](TableBuilder& t, const std::string& path) {
        t.remove(path);
        t.add_group(path);
        t.set(path, ascii("CLASS", "COLUMN_TABLE"));
      },
      [](TableBuilder& t, const std::string& path) {  // a group that contains this one
        const ObjectToken token = t.group(path.substr(0, path.find('/'))).token;
        t.remove(path);
        Child& made = t.add_named_datatype(path);
        made.object = ObjectKind::kGroup;
        made.token = token;
      },
      [](TableBuilder& t, const std::string& path) {
        Child& child = t.child(path);
        child.dataset.reset();
        child.group.reset();
        child.unreadable = "its header is damaged";
      },
      [](TableBuilder& t, const std::string& path) {
        Child& child = t.child(path);
        child.dataset.reset();
        child.group.reset();
        child.object = ObjectKind::kUnknown;
        child.unreadable = "its header is damaged";
      },
      [](TableBuilder& t, const std::string& path) {
        t.attributes_unreadable(path) = "attributes that cannot be listed";
      },
      [](TableBuilder& t, const std::string& path) { t.set(path, variable_length("note", "x")); },
      [](TableBuilder& t, const std::string& path) {
        t.set(path, variable_length("A note", "x"));
        t.set(path, attribute("MASK", integer_type(8, false), Cell(1)));
      },
      [](TableBuilder& t, const std::string& path) {
        Attribute made = utf8("unread", "x");
        made.unreadable = "it is damaged";
        t.set(path, std::move(made));
      }};
  return all;
}

const std::vector<Change>& dataset_changes() {
  static const std::vector<Change> all = [] {
    std::vector<Change> made;
    made.push_back([](TableBuilder& t, const std::string& path) {
      t.dataset(path).unreadable = "its datatype is damaged";
    });
    for (const Dataspace& space :
         {Dataspace{}, null_space(), simple_space({0}), simple_space({1}), simple_space({2, 3})})
      made.push_back(
          [space](TableBuilder& t, const std::string& path) { t.dataset(path).space = space; });
    for (const int more : {-2, -1, 1})
      made.push_back([more](TableBuilder& t, const std::string& path) {
        std::uint64_t& extent = t.dataset(path).space.extent[0];
        extent = static_cast<std::uint64_t>(static_cast<std::int64_t>(extent) + more);
      });
    for (const Datatype& type :
         {integer_type(1, false), integer_type(1, true), integer_type(2, true),
          integer_type(8, false, ByteOrder::kBig), integer_type(8, true), ieee_float_type(8),
          boolean_type(), enum_type(integer_type(1, false), {{"FALSE", 0}, {"TRUE", 1}}),
          fixed_string_type(1, StringPadding::kNullPad, CharacterSet::kUtf8),
          variable_string_type(CharacterSet::kUtf8), standard_reference_type(),
          compound_type(1, {})})
      made.push_back(
          [type](TableBuilder& t, const std::string& path) { t.dataset(path).type = type; });
    made.push_back(
        [](TableBuilder& t, const std::string& path) { t.values.set(t.dataset(path).token, {}); });
    // Each of the first elements another number.
    for (std::size_t at = 0; at < 4; ++at)
      for (const unsigned byte : {0u, 2u, 0xC3u, 0xFFu})
        made.push_back([at, byte](TableBuilder& t, const std::string& path) {
          const Dataset& data = t.dataset(path);
          const std::uint64_t start[] = {0}, count[] = {data.space.extent[0]};
          std::vector<std::byte> bytes = t.values.read(data, start, count).value();
          bytes[at * data.type.size] = static_cast<std::byte>(byte);
          t.values.set(data.token, std::move(bytes));
        });
    return made;
  }();
  return all;
}

const std::vector<Change>& group_changes() {
  static const std::vector<Change> all = [] {
    std::vector<Change> made;
    made.push_back([](TableBuilder& t, const std::string& path) {
      t.group(path).unreadable = "links that cannot be listed";
    });
    for (const char* name : {"AA", "CHARS", "ZZ", "VALUES"})
      made.push_back([name](TableBuilder& t, const std::string& path) {
        if (!t.has(path + '/' + name))
          t.add_dataset(path + '/' + name, variable_string_type(CharacterSet::kUtf8), {1});
      });
    for (const char* name : {"CLASS", "KIND"}) {
      for (const Attribute& attribute :
           {ascii(name, "OFFSETS"), ascii(name, "offsets"), ascii(name, "LIST_COLUMN"),
            ascii(name, "STRING_VALUES"), ascii(name, "LATER"), ascii(name, ""),
            utf8(name, "LIST_COLUMN"), utf8(name, "OFFSETS"), variable_length(name, "OFFSETS"),
            variable_length(name, "LIST_COLUMN"), shaped(ascii(name, "OFFSETS"), {1}),
            shaped(ascii(name, "LIST_COLUMN"), {2}), without_value(ascii(name, "OFFSETS")),
            boolean(name, true), references(name, {null_reference(), dangling_reference()})})
        made.push_back(
            [attribute](TableBuilder& t, const std::string& path) { t.set(path, attribute); });
      made.push_back([name](TableBuilder& t, const std::string& path) {
        if (t.attributes(path).contains(name)) t.erase(path, name);
      });
      made.push_back([name](TableBuilder& t, const std::string& path) {
        Attribute unread = ascii(name, "OFFSETS");
        unread.unreadable = "it is damaged";
        unread.bytes.clear();
        t.set(path, std::move(unread));
      });
    }
    return made;
  }();
  return all;
}

std::vector<Change> changes_of(TableBuilder& t, const std::string& path) {
  std::vector<Change> all = link_changes();
  const std::vector<Change>& more = t.is_dataset(path) ? dataset_changes() : group_changes();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> objects_of_lists() {
  std::vector<std::string> made = nested().objects();
  std::erase_if(made, [](const std::string& path) {
    return !path.starts_with("numbers") && !path.starts_with("words");
  });
  return made;
}

TEST(ListMembers, InEveryFormEqualTheGoldenFile) {
  std::string text;
  TableBuilder whole = nested();
  for (const std::string& path : objects_of_lists()) {
    Said said;
    for (const Change& change : changes_of(whole, path)) {
      TableBuilder t = nested();
      change(t, path);
      said.add(t, newest());
    }
    text += said.line(path);
  }
  // The same of all levels.
  for (const char* name : {"OFFSETS", "MASK", "VALUES"}) {
    std::vector<std::string> paths;
    for (const std::string& path : objects_of_lists())
      if (path.ends_with(std::string("/") + name)) paths.insert(paths.begin(), path);
    Said said;
    for (std::size_t i = 0; i < changes_of(whole, paths.front()).size(); ++i) {
      TableBuilder t = nested();
      for (const std::string& path : paths)
        if (t.has(path) && changes_of(whole, path).size() > i &&
            t.is_dataset(path) == whole.is_dataset(path))
          changes_of(whole, path)[i](t, path);
      said.add(t, newest());
    }
    text += said.line(std::format("all {}", name));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/list_members.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001::list_members
