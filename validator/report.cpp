#include "validator/report.h"

#include <algorithm>

#include "validator/integers.h"

namespace hepcheck {

std::string_view to_string(SubjectVerdict verdict) {
  switch (verdict) {
    case SubjectVerdict::kPass: return "pass";
    case SubjectVerdict::kFail: return "fail";
    case SubjectVerdict::kUnsupported: return "unsupported";
    case SubjectVerdict::kUnchecked: return "unchecked";
  }
  return "?";
}

namespace {

// Bytes of a cell.
std::uint64_t width_of_cells(std::uint64_t file) {
  return std::max<std::uint64_t>(1, divided_up(file, ByteMap::kMostCells));
}

}  // namespace

ByteMap ByteMap::of(std::uint64_t size, std::vector<std::string> kinds) {
  ByteMap made{.size = size, .kinds = std::move(kinds)};
  made.bytes.resize(made.kinds.size() * divided_up(size, width_of_cells(size)));
  return made;
}

void ByteMap::add(std::uint64_t begin, std::uint64_t count, std::size_t kind) {
  const std::uint64_t width = width_of_cells(size);
  const std::uint64_t end = std::min(size, sum(begin, count));
  while (begin < end) {
    const std::uint64_t cell = begin / width, next = std::min(end, (cell + 1) * width);
    bytes[kinds.size() * cell + kind] += next - begin;
    begin = next;
  }
}

bool is_kind(std::string_view word) {
  constexpr std::size_t kLongest = 32;
  return !word.empty() && word.size() <= kLongest && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ';
  });
}

const Figure* SubjectReport::figure(std::string_view key) const {
  const auto it = std::ranges::find(figures, key, &Figure::key);
  return it == figures.end() ? nullptr : &*it;
}

std::string_view to_string(ChosenBy chosen_by) {
  switch (chosen_by) {
    case ChosenBy::kOption: return "option";
    case ChosenBy::kDefault: return "default";
    case ChosenBy::kSign: return "auto";
  }
  return "?";
}

std::string_view to_string(StopCause cause) {
  switch (cause) {
    case StopCause::kSignal: return "signal";
    case StopCause::kLimit: return "limit";
    case StopCause::kExit: return "exit";
  }
  return "?";
}

std::string Stop::text() const {
  std::string text = cause == StopCause::kLimit    ? "the limit of " + name + " was reached"
                     : cause == StopCause::kSignal ? "the worker process died of " + name
                                                   : "the worker process ended with " + name;
  text += " while " + stage;
  if (!object.empty()) text += " " + object;
  if (!subject.empty()) text += " of " + subject;
  return text;
}

std::string Relaxation::text() const {
  return setting + (clause.empty() ? "" : ' ' + clause) + ": " + value;
}

int exit_status(const Report& report, bool violations_count) {
  bool unexamined = false;
  for (const FileReport& file : report.files) {
    unexamined |= file.error.has_value() || !file.unreadable.empty();
    for (const SubjectReport& subject : file.subjects) {
      const bool failed = subject.verdict == SubjectVerdict::kFail;
      if (failed && violations_count) return 1;
      unexamined |= !failed && subject.verdict != SubjectVerdict::kPass;
    }
  }
  return unexamined ? 3 : 0;
}

}  // namespace hepcheck
