// The layout of --help.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace hepcheck::cli {

// The columns of the terminal at standard output; 0 if they are unknown.
std::size_t terminal_width();

// The text with line breaks instead of some spaces: no line is longer than `width`, unless it is
// one word.
std::string broken_at_words(std::string_view text, std::size_t width);

// Breaks descriptions between words, so that no line of them is longer than the terminal is wide;
// where there is no terminal, than 100 columns.
class WrappedHelp : public CLI::Formatter {
 public:
  WrappedHelp();
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;

 private:
  std::size_t width_;  // of a description
};

}  // namespace hepcheck::cli
