#include "cli/help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace hepcheck::cli {

namespace {

constexpr std::size_t kColumn = 30;  // where descriptions begin
constexpr std::size_t kUsual = 100, kLeast = 60;

}  // namespace

std::string broken_at_words(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t at = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (at > 0 && at + 1 + word.size() > width) {
      out += '\n';
      at = 0;
    } else if (at > 0) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out;
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

WrappedHelp::WrappedHelp() {
  column_width(kColumn);
  const std::size_t columns = isatty(STDOUT_FILENO) != 0 ? terminal_width() : 0;
  width_ = std::max(columns == 0 ? kUsual : columns, kLeast) - kColumn;
}

std::string WrappedHelp::make_option_desc(const CLI::Option* option) const {
  return broken_at_words(CLI::Formatter::make_option_desc(option), width_);
}

std::string WrappedHelp::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_display_name(true),
                           broken_at_words(command->get_description(), width_), kColumn);
  return out.str();
}

}  // namespace hepcheck::cli
