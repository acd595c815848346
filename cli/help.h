// The layout of --help.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstddef>
#include <string>

namespace hepcheck::cli {

// The columns of the terminal at standard output; 0 if they are unknown.
std::size_t terminal_width();

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
