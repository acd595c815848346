#include "cli/complete.h"

#include <CLI/Option.hpp>
#include <algorithm>
#include <set>
#include <string_view>

#include "cli/specifications.h"
#include "reports/formats.h"
#include "validator/catalogue/clause.h"

namespace hepcheck::cli {

namespace {

// The first sentence is sufficient in a list.
std::string summary(const std::string& text) { return text.substr(0, text.find_first_of(".:;")); }

class Completer {
 public:
  explicit Completer(const CLI::App& app) : command_(&app) {}

  Completion complete(std::span<const std::string> words) {
    const std::string current = words.empty() ? "" : words.back();
    if (!words.empty())
      for (const std::string& word : words.first(words.size() - 1)) pass(word);
    const std::size_t equals = current.find('=');
    if (pending_)
      add_values(*pending_, "", current);
    else if (!only_operands_ && current.starts_with("--") && equals != current.npos) {
      if (const CLI::Option* option = find(current.substr(0, equals)))
        add_values(*option, current.substr(0, equals + 1), current.substr(equals + 1));
    } else if (!only_operands_ && current.starts_with('-')) {
      add_options(current);
    } else {
      add_subcommands(current);
      const std::vector<const CLI::Option*> operands = positionals();
      if (!operands.empty()) {
        const CLI::Option& next = *operands[std::min(operands_, operands.size() - 1)];
        if (operands_ < operands.size() || takes_many(next)) add_values(next, "", current);
      }
    }
    return std::move(made_);
  }

 private:
  static bool takes_many(const CLI::Option& option) { return option.get_items_expected_max() > 1; }
  static bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

  const CLI::Option* find(const std::string& name) const {
    return command_->get_option_no_throw(name);
  }

  const CLI::App* subcommand(const std::string& name) const {
    for (const CLI::App* sub : command_->get_subcommands({}))
      if (sub->get_name() == name) return sub;
    return nullptr;
  }

  std::vector<const CLI::Option*> positionals() const {
    return command_->get_options([](const CLI::Option* o) { return o->get_positional(); });
  }

  // A complete word.
  void pass(const std::string& word) {
    if (pending_) {
      pending_ = nullptr;
    } else if (only_operands_) {
      ++operands_;
    } else if (word == "--") {
      only_operands_ = true;
    } else if (word.size() > 1 && word.starts_with('-')) {
      const CLI::Option* option = find(word);
      if (option && takes_value(*option)) pending_ = option;
    } else if (const CLI::App* sub = subcommand(word)) {
      command_ = sub;
      operands_ = 0;
    } else {
      ++operands_;
    }
  }

  void add(const std::string& word, std::string_view typed, const std::string& what) {
    if (word.starts_with(typed)) made_.candidates.push_back({word, summary(what)});
  }

  void add_options(const std::string& typed) {
    for (const CLI::Option* option : command_->get_options())
      if (!option->get_group().empty())
        for (const std::string& name : option->get_lnames())
          add("--" + name, typed, option->get_description());
  }

  void add_subcommands(const std::string& typed) {
    for (const CLI::App* sub : command_->get_subcommands({}))
      if (!sub->get_group().empty()) add(sub->get_name(), typed, sub->get_description());
  }

  // The values of an option or operand, as stated by its type name.
  void add_values(const CLI::Option& option, const std::string& before, const std::string& typed) {
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{'), close = type.rfind('}');
    if (open != type.npos && close != type.npos) {
      add_listed(std::string_view(type).substr(open + 1, close - open - 1), before, typed);
    } else if (type.starts_with("FORMAT")) {
      add_formats(before, typed);
    } else if (type.starts_with("ID")) {
      add_clauses(before, typed);
    } else if (type.starts_with("CLAUSES")) {
      add_clauses(before, typed);
      add_sections(before, typed);
    } else if (option.check_lname("spec")) {
      if (type == "SPEC")
        add(before + kAutomatic, before + typed, "the format that recognises the file");
      for (const Specification& spec : all_specifications())
        add(before + std::string(spec.id), before + typed, std::string(spec.title));
    } else {
      for (const std::string_view files : {"FILE", "PATH", "REPORT", "DIR"})
        made_.files = made_.files || type.starts_with(files);
    }
  }

  void add_listed(std::string_view words, const std::string& before, const std::string& typed) {
    while (!words.empty()) {
      const std::size_t comma = std::min(words.find(','), words.size());
      add(before + std::string(words.substr(0, comma)), before + typed, "");
      words.remove_prefix(std::min(comma + 1, words.size()));
    }
  }

  void add_formats(const std::string& before, const std::string& typed) {
    made_.files = typed.contains('=');  // after "json=" a file name follows
    for (const reports::Form& format : reports::all_forms())
      add(before + std::string(format.name), before + typed, "");
  }

  // After a comma, another one.
  void add_clauses(const std::string& before, const std::string& typed) {
    const std::size_t last = typed.rfind(',') + 1;  // npos + 1 is 0
    const std::string earlier = before + typed.substr(0, last);
    std::set<std::string_view> seen;  // revisions of a specification share ids
    for (const Specification& spec : all_specifications())
      for (const Clause& clause : spec.clauses)
        if (seen.insert(clause.id).second)
          add(earlier + std::string(clause.id), before + typed, std::string(clause.statement));
  }

  void add_sections(const std::string& before, const std::string& typed) {
    const std::string earlier = before + typed.substr(0, typed.rfind(',') + 1);
    std::set<std::string_view> seen;
    for (const Specification& spec : all_specifications())
      for (const Clause& clause : spec.clauses)
        if (seen.insert(clause.section).second)
          add(earlier + std::string(clause.section), before + typed, "a section");
  }

  const CLI::App* command_;
  const CLI::Option* pending_ = nullptr;  // its value follows
  std::size_t operands_ = 0;
  bool only_operands_ = false;  // after "--"
  Completion made_{};
};

}  // namespace

Completion complete(const CLI::App& app, std::span<const std::string> words) {
  return Completer(app).complete(words);
}

}  // namespace hepcheck::cli
