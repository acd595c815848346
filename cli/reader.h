// The option --reader.
#pragma once

#include <string>

#include "validator/options.h"

namespace CLI {
class App;
}

namespace hepcheck::cli {

inline constexpr const char* kUsualReader = "own";

void add_reader(CLI::App& command, std::string& reader);
Reader reader_of(const std::string& word);

}  // namespace hepcheck::cli
