// What the commands that show the HDF5 container have in common: chunks, layout.
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

// A file that is named by its path, or as FILE:/object.
struct ContainerWork {
  using Tell = std::function<void(std::string_view message)>;
  // In a worker that can do nothing but read the file.
  std::function<void(const Bytes& file, const std::optional<std::string>& object,
                     const Limits& limits, const Tell& tell)>
      read;
  Tell receive;  // here
};

void add_container_options(CLI::App& command, ContainerArguments& arguments);

// Why the file could not be read, or not to its end, as it is to be shown; nothing if it was.
std::optional<std::string> run_on_container(const ContainerArguments& arguments,
                                            const ContainerWork& work);

}  // namespace hepcheck::cli
