// Examines files one after the other, isolated or not.
#pragma once

#include "validator/cli/target.h"
#include "validator/examine_file.h"
#include "validator/isolate/examine.h"

namespace hepcheck::cli {

class Examiner {
 public:
  // `spec`: null if each file is to be judged by what recognises it. It and `options` must outlive
  // the examiner.
  Examiner(const Specification* spec, const FileOptions& options, const isolate::Bounds& bounds)
      : spec_(spec), options_(options), bounds_(isolate::settled(bounds)) {}

  // A file, or standard input, in a worker; the report goes to `send` as it is made, for a
  // ReportReader. Says once, on standard error, what part of the isolation the system refuses.
  void examine(const Target& target, const isolate::Send& send);
  // The same in this process.
  FileReport examine_here(const Target& target) const;

  // Another one says it.
  void mute() { said_ = true; }

 private:
  const Specification* spec_;
  const FileOptions& options_;
  bool said_ = false;
  isolate::Bounds bounds_;
};

}  // namespace hepcheck::cli
