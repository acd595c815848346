// What is wrong with a name: of a link, of an attribute, and of another file.
#include "validator/formats/hdf5/names.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/testing/zeros.h"

namespace hepcheck::hdf5 {
namespace {

using testing::Zeros;

TEST(FileNames, ThatLeadOutOfTheirFolder) {
  const std::pair<std::string_view, std::string_view> kNames[] = {
      {"", "an empty name"},
      {"a", ""},
      {"a.h5", ""},
      {"folder/a.h5", ""},
      {"folder\\a.h5", ""},
      {".", ""},
      {"./a", ""},
      {"...", ""},
      {"a..", ""},
      {"..a", ""},
      {"a/..b/c", ""},
      {"a/b../c", ""},
      {"..", "two dots"},
      {"../a", "two dots"},
      {"..\\a", "two dots"},
      {"a/..", "two dots"},
      {"a\\..", "two dots"},
      {"a/../b", "two dots"},
      {"a/b/..\\c", "two dots"},
      {"/a", "an absolute name"},
      {"\\a", "an absolute name"},
      {"/", "an absolute name"},
      {"c:", "a drive letter"},
      {"Z:a", "a drive letter"},
      {"c:\\a", "a drive letter"},
      {"1:a", ""},
      {"ab:c", ""},
      {"a", ""},
      {"http://a", "a URL"},
      {"a://", "a URL"},
      {"s3://../a", "a URL"},
      {"a:/b", "a drive letter"},
      {"ab:/c", ""},
      {"a\nb", "a control character"},
      {std::string_view("a\0b", 3), "a control character"},
      {"a\x7f", "a control character"},
      {"/a\n", "a control character"},
  };
  for (const auto& [name, why] : kNames) EXPECT_EQ(leads_out(name), why) << name;
}

TEST(LinkNames, ThatAreNotSafeAsNamesOfFiles) {
  const std::string longest(255, 'a'), longer(256, 'a');
  const std::pair<std::string_view, std::string_view> kNames[] = {
      {"a", ""},
      {"a b", ""},
      {"...", ""},
      {".a", ""},
      {"a~", ""},
      {"a-b", ""},
      {".", "a name of dots"},
      {"..", "a name of dots"},
      {"~a", "a leading tilde or minus"},
      {"-a", "a leading tilde or minus"},
      {"a\\b", "a backslash or colon"},
      {"a:b", "a backslash or colon"},
      {"a\tb", "a control character"},
      {"a\x1f", "a control character"},
      {"a ", ""},
      {"a\x7f", "a control character"},
      {"a\xc2\x80", ""},
      {"a\xc2\x9f", ""},
      {"a\xc2\xa0", ""},
      {"a\xe2\x80\xa9", ""},
      {"a\xe2\x80\xaa", "a direction mark"},
      {"a\xe2\x80\xae"
       "b",
       "a direction mark"},
      {"a\xe2\x80\xaf", ""},
      {"a\xe2\x81\xa5", ""},
      {"a\xe2\x81\xa6", "a direction mark"},
      {"a\xe2\x81\xa9", "a direction mark"},
      {"a\xe2\x81\xaa", ""},
      {"\xe2\x80\xaf\xe2\x80\xae", "a direction mark"},
      {"con", "a name that Windows reserves"},
      {"NUL", "a name that Windows reserves"},
      {"con.tar.gz", "a name that Windows reserves"},
      {"Lpt9.a.b", "a name that Windows reserves"},
      {"Aux.txt", "a name that Windows reserves"},
      {"prn.", "a name that Windows reserves"},
      {"com1", "a name that Windows reserves"},
      {"COM9.h5", "a name that Windows reserves"},
      {"lpt1", "a name that Windows reserves"},
      {"com0", ""},
      {"com", ""},
      {"com10", ""},
      {"console", ""},
      {"xnul", ""},
      {longest, ""},
      {longer, "a name of more than 255 bytes"},
  };
  for (const auto& [name, why] : kNames)
    for (const bool of_attribute : {false, true}) {
      Zeros zeros;
      if (of_attribute)
        judge_attribute_name({.bytes = name, .utf8 = true}, {"test", 0, 0}, zeros.notes);
      else
        judge_link_name({.bytes = name, .utf8 = true}, {"test", 0, 0}, zeros.notes);
      const auto found = zeros.found("h5-risk-link-name");
      if (why.empty()) {
        EXPECT_TRUE(found.empty()) << name << ": " << found[0];
        continue;
      }
      ASSERT_EQ(found.size(), 1u) << name;
      EXPECT_EQ(found[0], std::string(why) + ": \"" + std::string(name.substr(0, 100)) + '"');
    }
}

}  // namespace
}  // namespace hepcheck::hdf5
