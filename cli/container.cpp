#include "cli/container.h"

#include <CLI/CLI.hpp>
#include <print>

#include "cli/limits.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/isolate/worker.h"

namespace hepcheck::cli {

void add_container_options(CLI::App& command, ContainerArguments& arguments,
                           std::vector<std::string> formats) {
  command.add_option("--format", arguments.format, "Output format")
      ->check(one_of(std::move(formats)))
      ->capture_default_str();
  command
      .add_option("--limit", arguments.limits,
                  "Set a limit, such as time=60 or memory=2GiB; see hepcheck validate --help")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
}

std::optional<std::string> run_on_container(const ContainerArguments& arguments,
                                            const ContainerWork& work) {
  const AllLimits limits = limits_of(arguments.limits);
  const std::vector<Target> targets = targets_of(arguments.path);
  if (targets.size() != 1) return arguments.path + ": it matches more than one file";
  const Target& target = targets.front();
  if (target.error) return target.error->text();
  const Result<Descriptor> file = open_for_reading(target.path);
  if (!file) return file.error().text();
  const Bytes bytes = Bytes::of_descriptor(file->get(), target.path);
  const isolate::Outcome outcome = isolate::run_in_worker(
      file->get(),
      [&](const isolate::Send& send, WorkerPosition&) {
        work.read(bytes, target.group, limits.reading, send);
      },
      work.receive, isolate::settled(limits.worker));
  if (!outcome.refused.empty())
    std::println(stderr, "hepcheck: this system refuses part of the sandbox: {}",
                 reports::escaped(outcome.refused));
  if (outcome.error) return outcome.error->text();
  if (outcome.stop) return target.path + ": " + outcome.stop->text();
  return std::nullopt;
}

}  // namespace hepcheck::cli
