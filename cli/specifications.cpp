#include "cli/specifications.h"

#include <algorithm>
#include <format>

#include "cli/suggest.h"
#include "validator/format.h"
#include "validator/sha256.h"

namespace hepcheck::cli {

Specifications specifications_named(const std::vector<std::string>& words) {
  Specifications wanted;
  for (const std::string& word : words) {
    const Specification* spec = word == kAutomatic ? nullptr : &specification_named(word);
    if (!std::ranges::contains(wanted, spec)) wanted.push_back(spec);
  }
  return wanted;
}

const Specification& first_of(std::span<const Specification* const> wanted) {
  return wanted.front() ? *wanted.front() : default_specification();
}

Specifications known_of(std::span<const Specification* const> wanted) {
  if (!std::ranges::contains(wanted, nullptr)) return {wanted.begin(), wanted.end()};
  Specifications all;
  for (const Specification& each : all_specifications()) all.push_back(&each);
  return all;
}

std::string names_of(std::span<const Specification* const> wanted) {
  std::string text;
  for (const Specification* each : wanted)
    text +=
        std::string(text.empty() ? "" : ", ").append(each ? each->id : default_specification().id);
  return text;
}

namespace {

std::string digest_of(const Specification& spec) {
  Sha256 hash;
  const auto add = [&](std::string_view text) {
    const std::string framed = std::format("{}:{}", text.size(), text);
    hash.add({reinterpret_cast<const unsigned char*>(framed.data()), framed.size()});
  };
  const auto add_all = [&](std::span<const std::string_view> texts) {
    add(std::to_string(texts.size()));
    for (const std::string_view text : texts) add(text);
  };
  for (const std::string_view text : {spec.id, spec.revision, spec.url}) add(text);
  for (const Clause& clause : spec.clauses) {
    for (const std::string_view text :
         {clause.id, clause.section, to_string(clause.level), to_string(clause.subject),
          to_string(clause.default_severity), clause.object, clause.basis, clause.statement,
          clause.check, clause.valid_case, clause.notes})
      add(text);
    add_all(clause.broken_cases);
    add_all(clause.emitted_as);
    add_all(clause.also_in);
  }
  return hash.hexadecimal();
}

}  // namespace

std::string version_text() {
  std::string text = "hepcheck " HEPCHECK_VERSION "\n";
  for (const Specification& spec : all_specifications())
    text += std::format("{:<32} {:>4} clauses  sha256:{}\n", spec.id, spec.clauses.size(),
                        digest_of(spec));
  text.pop_back();
  return text;
}

}  // namespace hepcheck::cli
