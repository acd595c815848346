// The common part of the commands that show the HDF5 container: chunks, layout.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/limits.h"

namespace CLI {
class App;
}

namespace hepcheck::cli {

struct ContainerArguments {
  std::string path{};
  std::string format = "text";
  std::vector<std::string> limits{};
};

// A file given by its path, or as FILE:/object.
struct ContainerWork {
  using Tell = std::function<void(std::string_view message)>;
  // In a worker that can only read the file.
  std::function<void(const Bytes& file, const std::optional<std::string>& object,
                     const Limits& limits, const Tell& tell)>
      read;
  Tell receive;  // in this process
};

void add_container_options(CLI::App& command, ContainerArguments& arguments,
                           std::vector<std::string> formats = {"text", "json"});

// The message to display if the file could not be read, or not completely; empty otherwise.
std::optional<std::string> run_on_container(const ContainerArguments& arguments,
                                            const ContainerWork& work);

}  // namespace hepcheck::cli
