// Examines files one after the other, isolated or not.
#pragma once

#include <optional>
#include <string>

#include "validator/examine_file.h"
#include "validator/isolate/examine.h"

namespace hepcheck::cli {

class Examiner {
 public:
  // `spec` and `options` must outlive it.
  Examiner(const Specification& spec, const FileOptions& options, bool isolated,
           const isolate::Bounds& bounds)
      : spec_(spec), options_(options), isolated_(isolated), bounds_(isolate::settled(bounds)) {}

  // A path, or "-" for standard input. Says once, on standard error, what part of the isolation
  // the system refuses.
  FileReport examine(const std::string& path, const std::optional<std::string>& group);

  // Another one says it.
  void mute() { said_ = true; }

 private:
  const Specification& spec_;
  const FileOptions& options_;
  bool isolated_, said_ = false;
  isolate::Bounds bounds_;
};

}  // namespace hepcheck::cli
