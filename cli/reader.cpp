#include "cli/reader.h"

#include <CLI/CLI.hpp>

#include "cli/suggest.h"

namespace hepcheck::cli {

void add_reader(CLI::App& command, std::string& reader) {
  command
      .add_option(
          "--reader", reader,
          "Who reads tables from HDF5 files; own: this program, from raw bytes; libhdf5: the "
          "HDF5 library; both: both, and every disagreement is reported")
      ->check(one_of({"own", "libhdf5", "both"}))
      ->capture_default_str();
}

Reader reader_of(const std::string& word) {
  if (word == "own") return Reader::kOwn;
  return word == "both" ? Reader::kBoth : Reader::kLibrary;
}

}  // namespace hepcheck::cli
