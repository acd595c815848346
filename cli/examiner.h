// Examines files one after another, sandboxed or not.
#pragma once

#include <memory>

#include "cli/specifications.h"
#include "cli/target.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/incoming.h"
#include "validator/isolate/examine.h"

namespace hepcheck::cli {

class Examiner {
 public:
  // Each file is judged by each of `specs`, at least one. They and `options` must outlive the
  // examiner.
  Examiner(const Specifications& specs, const FileOptions& options, const isolate::Bounds& bounds)
      : specs_(specs), options_(options), bounds_(isolate::settled(bounds)) {}

  // Examines a file, or standard input, opened once, in a worker for each specification; the report
  // goes to `send`, for a ReportReader, incrementally if there is only one specification. Prints
  // once, on standard error, the parts of the sandbox that the system refuses.
  void examine(const Target& target, const isolate::Send& send);
  // The same in this process.
  FileReport examine_here(const Target& target) const;

  // Another examiner prints it.
  void mute() { reported_ = true; }

 private:
  // A file, a directory, or standard input: streamed, or collected.
  struct Opened {
    OpenedInput file{};
    std::unique_ptr<Incoming> incoming{};
    Input input{};
    Specifications specs{};
  };

  Result<Opened> open(const Target& target) const;
  const Specification* forwards(Incoming& input) const;
  Request request(const Target& target, const Specification* spec) const {
    return {.spec = spec, .subject = target.group, .options = options_};
  }
  // The format that recognises a file adds nothing if one of its specifications is named.
  Specifications specifications_for(const Input& input) const;
  // Combines the reports of several specifications.
  FileReport by_each(const Target& target, const Opened& opened);
  void isolated(const Input& input, const Request& wanted, const isolate::Send& send);

  const Specifications& specs_;
  const FileOptions& options_;
  bool reported_ = false;
  isolate::Bounds bounds_;
};

}  // namespace hepcheck::cli
