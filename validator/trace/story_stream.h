// Carries the stories of a log's files from the sandboxed process that reads the log to its parent:
// the beginning of each file, its changes and its barriers.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "validator/trace/log.h"
#include "validator/trace/replay.h"

namespace hepcheck::trace {

struct LoggedFile {
  std::string name{};
  std::string missing{};  // the reason why there is no story; empty if there is one
  Story story{};
  // What the changes of the story point to.
  std::deque<Event> events{};
  std::deque<std::string> bytes{};
};

// Sends all files of a log, in messages of at most one record each.
void send_stories(const Log& log, const std::function<void(std::string_view message)>& send);

// Receives them. The messages are untrusted: a hostile log may have taken over the sender.
class StoryReader {
 public:
  explicit StoryReader(const LogLimits& limits = {}) : limits_(limits) {}

  void take(std::string_view message);
  // Nothing if a message was not one that send_stories() sends, or if messages are missing.
  std::optional<std::deque<LoggedFile>> take_all() &&;

 private:
  bool take_part(std::string_view message);
  bool change(Event event, std::string bytes);

  LogLimits limits_;
  std::deque<LoggedFile> files_{};
  std::uint64_t size_ = 0;  // of the last of them, at this point
  Growth growth_{};
  bool good_ = true, ended_ = false;
};

}  // namespace hepcheck::trace
