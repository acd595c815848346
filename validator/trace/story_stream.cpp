#include "validator/trace/story_stream.h"

#include <algorithm>
#include <utility>

#include "validator/trace/parts.h"

namespace hepcheck::trace {

namespace {

enum StoryPart : std::uint64_t {
  kFile,     // name, reason for missing contents, size at the beginning
  kPiece,    // position, original bytes
  kWrite,    // position, memory, bytes
  kResize,   // the new size
  kBarrier,  // how many changes came before
  kEnd,
};

void send_file(const Log& log, FileNumber number,
               const std::function<void(std::string_view)>& send) {
  const File& file = log.files[number];
  const std::string missing = trace::missing(log, number);
  PartWriter head;
  head.number(kFile);
  head.text(file.name);
  head.text(missing);
  head.number(file.size);
  send(head.bytes);
  if (!missing.empty()) return;
  for (const File::Piece& piece : file.pieces) {
    PartWriter part;
    part.number(kPiece);
    part.number(piece.position);
    part.text(piece.data);
    send(part.bytes);
  }
  const Story story = story_of(log, number);
  for (const Event* event : story.changes) {
    const bool write = event->kind == Event::Kind::kWrite;
    PartWriter part;
    part.number(write ? kWrite : kResize);
    part.number(event->position);
    if (write) part.number(static_cast<std::uint64_t>(event->memory));
    if (write) part.text(event->data);
    send(part.bytes);
  }
  for (const std::size_t barrier : story.barriers) {
    PartWriter part;
    part.number(kBarrier);
    part.number(barrier);
    send(part.bytes);
  }
}

}  // namespace

void send_stories(const Log& log, const std::function<void(std::string_view)>& send) {
  for (FileNumber file = 0; file < log.files.size(); ++file) send_file(log, file, send);
  PartWriter end;
  end.number(kEnd);
  send(end.bytes);
}

void StoryReader::take(std::string_view message) { good_ = good_ && !ended_ && take_part(message); }

bool StoryReader::take_part(std::string_view message) {
  PartReader from(message);
  const std::uint64_t part = from.number();
  if (part == kFile) {
    LoggedFile& made = files_.emplace_back();
    made.name = from.text();
    made.missing = from.text();
    const std::uint64_t size = from.number();
    if (!from.done() || size > limits_.file_bytes || files_.size() > limits_.files) return false;
    size_ = 0;
    if (made.missing.empty()) growth_.resize(size_, size);
    if (growth_.all() > limits_.grown_bytes) return false;
    made.story.start.resize(size_);
    return true;
  }
  if (part == kEnd) return ended_ = from.done();
  if (files_.empty() || !files_.back().missing.empty()) return false;
  LoggedFile& into = files_.back();
  const std::uint64_t number = from.number();
  switch (part) {
    case kPiece: {
      const std::string bytes = from.text();
      Image& start = into.story.start;
      if (!from.done() || number > start.size() || bytes.size() > start.size() - number)
        return false;
      start.replace(number, bytes.size(), bytes);
      return true;
    }
    case kWrite: {
      const std::uint64_t memory = from.number();
      std::string bytes = from.text();
      return from.done() && memory <= 255 &&
             change({.kind = Event::Kind::kWrite,
                     .memory = static_cast<Memory>(memory),
                     .position = number},
                    std::move(bytes));
    }
    case kResize:
      return from.done() && change({.kind = Event::Kind::kResize, .position = number}, {});
    case kBarrier: {
      std::vector<std::size_t>& barriers = into.story.barriers;
      if (!from.done() || number > into.story.changes.size() ||
          (!barriers.empty() && number <= barriers.back()))
        return false;
      barriers.push_back(number);
      return true;
    }
    default: return false;
  }
}

bool StoryReader::change(Event event, std::string bytes) {
  if (event.position > limits_.file_bytes || bytes.size() > limits_.file_bytes - event.position)
    return false;
  if (event.kind == Event::Kind::kWrite)
    growth_.write(size_, event.position, bytes.size());
  else
    growth_.resize(size_, event.position);
  if (growth_.all() > limits_.grown_bytes) return false;
  LoggedFile& into = files_.back();
  event.data = into.bytes.emplace_back(std::move(bytes));
  into.story.changes.push_back(&into.events.emplace_back(event));
  return true;
}

std::optional<std::deque<LoggedFile>> StoryReader::take_all() && {
  if (!good_ || !ended_) return std::nullopt;
  return std::move(files_);
}

}  // namespace hepcheck::trace
