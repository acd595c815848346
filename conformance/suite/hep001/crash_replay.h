// The states that crashes during an append would have left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/suite/hep001/writer_checks.h"
#include "validator/bytes.h"

namespace hepcheck::hep001::suite {

// Replays steps up to every point where a crash could have ended them: the file must then show the
// old rows or the new rows.
class CrashReplay {
 public:
  struct Options {
    const Specification* spec = nullptr;  // by which they are read
    std::uint64_t seed = 1;               // of a sample, if there are many states
    bool every_state = false;             // also require that the file is readable during a flush
  };
  CrashReplay(Options options, const Capabilities& can)
      : options_(std::move(options)), durable_(can.has("durable")) {}

  void judge(const Step& step, StepProbe probe);
  std::vector<std::string> notes() const;  // the replayed states, and those that do not count

 private:
  enum class Shows : std::uint8_t {
    kOld,
    kNew,
    kOldChanged,
    kMixture,
    kWrongIndex,  // one that passes the validity check, and hides rows or adds some
    kUnreadable
  };

  int look_at(const Bytes& file, const Step& step) const;
  Shows rows_at(const FileContent& content, const Step& step) const;
  Shows look_safely(const Image& image, const Step& step);
  Shows shown_by(Image image, const Step& step);
  bool excused(const trace::State& state, Shows shows, const Step& step);
  void fail(const trace::State& state, Shows shows, const Step& step, StepProbe& probe) const;

  Options options_;
  bool durable_;
  std::uint64_t states_ = 0, unsettled_ = 0, flagged_ = 0, torn_ = 0;
  std::uint64_t old_ = 0, new_ = 0, detected_ = 0;  // rows; indexes that are disabled
  std::string torn_example_{};
  std::vector<std::string> unseen_{};
};

}  // namespace hepcheck::hep001::suite
