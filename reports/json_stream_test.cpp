#include "reports/json_stream.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

// Objects and arrays down to `depth` in pieces, what is below them as values.
void write(JsonStream& to, const Json& value, int depth) {
  if (depth == 0 || !value.is_structured()) return to.value(value);
  if (value.is_array()) {
    to.begin_array();
    for (const Json& each : value) write(to, each, depth - 1);
    return to.end();
  }
  to.begin_object();
  for (const auto& [key, each] : value.items()) {
    to.key(key);
    write(to, each, depth - 1);
  }
  to.end();
}

std::string streamed(const Json& value, JsonStream::Form form, int depth) {
  std::ostringstream out;
  JsonStream to(out, form);
  write(to, value, depth);
  return out.str();
}

const Json kValues[] = {
    nullptr,
    "text",
    7,
    true,
    Json::array(),
    Json::object(),
    {1},
    {{"a", 1}},
    {{"empty", Json::array()}, {"none", Json::object()}, {"last", nullptr}},
    {{"lines\n\"", {"a\nb", {{"<b>", {1, 2, {{"c", {Json::array(), Json::object()}}}}}}, "</x>"}},
     {"more", {{{"x", 1}, {"y", {2, 3}}}, {{"x", 2}}}}}};

TEST(JsonStream, WritesTheSameAsADump) {
  for (const Json& value : kValues)
    for (int depth = 0; depth < 8; ++depth) {
      EXPECT_EQ(streamed(value, JsonStream::Form::kIndented, depth), value.dump(1)) << depth;
      EXPECT_EQ(streamed(value, JsonStream::Form::kCompact, depth), value.dump()) << depth;
    }
}

TEST(JsonStream, CannotEndAScriptElement) {
  for (const Json& value : kValues)
    for (int depth = 0; depth < 8; ++depth) {
      const std::string text = streamed(value, JsonStream::Form::kScript, depth);
      EXPECT_EQ(text.find('<'), text.npos);
      EXPECT_EQ(Json::parse(text), value);
    }
}

TEST(JsonStream, AppendsMembersOfAnObject) {
  std::ostringstream out;
  JsonStream to(out, JsonStream::Form::kCompact);
  to.begin_object();
  to.member("a", 1);
  to.members({{"b", 2}, {"c", {3}}});
  to.members(Json::object());
  write_array(to, "d", std::vector{4, 5}, [&](int each) { to.element(to.rendered(each)); });
  to.end();
  EXPECT_EQ(out.str(), R"({"a":1,"b":2,"c":[3],"d":[4,5]})");
}

}  // namespace

}  // namespace hepcheck::reports
