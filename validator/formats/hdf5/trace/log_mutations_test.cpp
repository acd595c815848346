// The logs of appends, mutated one event at a time: writes that are swapped, missing, repeated,
// late, early, in two pieces, with another byte or joined to the next one, calls that are added or
// missing, and files that are cut, extended or closed; addresses, purposes of writes, announcements
// and calls that are others; and several of these at once. The reports about them equal the golden
// files, which have a line for each log and each kind of mutation: the number of mutations, those
// that violate something, and a digest of all reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <format>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/fnv1a.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/testing/trace_logs.h"
#include "validator/formats/hdf5/trace/watch.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::trace {
namespace {

using Kind = Event::Kind;
using Events = std::vector<Event>;
using Texts = std::deque<std::string>;  // the bytes of changed events

void put_number(std::string& bytes, std::size_t at, std::uint64_t number, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
}

bool divides(const Event& event) {
  return event.kind == Kind::kSync || event.kind == Kind::kClose || event.kind == Kind::kOpen ||
         (event.kind == Kind::kCall && hepcheck::trace::is_barrier(event.data));
}
Event behind(const Event& event, Kind kind, std::string_view data = {}) {
  return {.kind = kind, .file = event.file, .data = data, .record = event.record};
}

void insert(Events& log, std::size_t at, const Event& event) {
  log.insert(log.begin() + static_cast<std::ptrdiff_t>(at), event);
}
void remove(Events& log, std::size_t at) {
  log.erase(log.begin() + static_cast<std::ptrdiff_t>(at));
}
void move(Events& log, std::size_t from, std::size_t to) {
  const Event event = log[from];
  remove(log, from);
  insert(log, to, event);
}

// Each changes a log at one event, and returns false if that event is of no use to it.
bool swapped(Events& log, std::size_t at, Texts&) {
  if (at + 1 == log.size() || (!log[at].changes() && !log[at + 1].changes())) return false;
  std::swap(log[at], log[at + 1]);
  return true;
}
bool missing(Events& log, std::size_t at, Texts&) {
  remove(log, at);
  return true;
}
bool repeated(Events& log, std::size_t at, Texts&) {
  insert(log, at, log[at]);
  return true;
}
// Directly before the next barrier.
bool late(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes()) return false;
  std::size_t to = at;
  while (to + 1 < log.size() && !divides(log[to + 1])) ++to;
  if (to < at + 2) return false;
  move(log, at, to);
  return true;
}
// Directly behind the previous barrier.
bool early(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes()) return false;
  std::size_t to = at;
  while (to > 0 && !divides(log[to - 1])) --to;
  if (to + 2 > at) return false;
  move(log, at, to);
  return true;
}
// In the next session, or behind the last event.
bool after_the_barrier(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes()) return false;
  std::size_t to = at;
  while (to < log.size() && !divides(log[to])) ++to;
  if (to == log.size()) return false;
  move(log, at, to);
  return true;
}
bool flushed(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes()) return false;
  insert(log, at + 1, behind(log[at], Kind::kCall, "flush"));
  return true;
}
bool synced(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes()) return false;
  insert(log, at + 1, behind(log[at], Kind::kSync));
  return true;
}
bool in_pieces(Events& log, std::size_t at, Texts&) {
  if (log[at].kind != Kind::kWrite || log[at].data.size() < 2) return false;
  const std::size_t half = log[at].data.size() / 2;
  Event second = log[at];
  second.position += half;
  second.data.remove_prefix(half);
  log[at].data = log[at].data.substr(0, half);
  insert(log, at + 1, second);
  return true;
}
// The event writes other bytes; a checksum that ends the write is that of the changed bytes.
constexpr std::size_t kSum = 4;
template <class Change>
void with_other_bytes(Event& event, Texts& texts, Change change) {
  std::string& bytes = texts.emplace_back(event.data);
  const auto all = [&] { return std::as_bytes(std::span(bytes)).first(bytes.size() - kSum); };
  const bool summed = number_at(bytes, bytes.size() - kSum, kSum) == lookup3(all());
  change(bytes);
  if (summed) put_number(bytes, bytes.size() - kSum, lookup3(all()), kSum);
  event.data = bytes;
}
// One byte is larger by one.
bool with_another_byte(Events& log, std::size_t at, Texts& texts, std::size_t parts,
                       std::size_t part) {
  if (log[at].kind != Kind::kWrite || log[at].data.size() < 2 * kSum) return false;
  with_other_bytes(log[at], texts, [&](std::string& bytes) {
    ++bytes[kSum + (bytes.size() - 2 * kSum) * part / parts];
  });
  return true;
}
template <std::size_t part>
bool with_another_byte(Events& log, std::size_t at, Texts& texts) {
  return with_another_byte(log, at, texts, 5, part);
}

// A metadata write that contains the address of something that the log writes contains that of
// something else. `turn` selects both addresses.
enum class Instead : std::uint8_t { kOther, kOwn, kNone };
bool with_another_address(Events& log, std::size_t at, Texts& texts, std::size_t turn,
                          Instead instead = Instead::kOther) {
  constexpr std::uint64_t kUserBlocks[] = {0, 512};
  if (log[at].kind != Kind::kWrite || log[at].memory == Memory::kRawData ||
      log[at].data.size() < 2 * kSum)
    return false;
  std::vector<std::uint64_t> places;
  for (const Event& each : log)
    if (each.kind == Kind::kWrite && each.file == log[at].file) places.push_back(each.position);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  struct Address {
    std::size_t at;
    unsigned width;
    std::uint64_t base, place;
  };
  std::vector<Address> found;
  for (const unsigned width : {8U, 4U})
    for (std::size_t i = 4; found.size() < 8 && i + width + kSum <= log[at].data.size(); ++i)
      for (const std::uint64_t base : kUserBlocks) {
        const std::uint64_t number = number_at(log[at].data, i, width);
        if (number != 0 && number < 1'000'000 && std::ranges::binary_search(places, number + base))
          found.push_back({i, width, base, number + base});
      }
  std::erase(places, 0);
  if (found.empty() || places.size() < 2) return false;
  const Address address = found[turn % found.size()];
  if (instead != Instead::kOther) {
    const std::uint64_t own = log[at].position;
    if (instead == Instead::kOwn && (own < address.base || own == address.place)) return false;
    with_other_bytes(log[at], texts, [&](std::string& bytes) {
      put_number(bytes, address.at,
                 instead == Instead::kOwn ? own - address.base : ~std::uint64_t{0}, address.width);
    });
    return true;
  }
  const auto here = std::ranges::lower_bound(places, address.place) - places.begin();
  const std::size_t other =
      (static_cast<std::size_t>(here) + 1 + turn % (places.size() - 1)) % places.size();
  if (places[other] < address.base) return false;
  with_other_bytes(log[at], texts, [&](std::string& bytes) {
    put_number(bytes, address.at, places[other] - address.base, address.width);
  });
  return true;
}
bool with_the_next_address(Events& log, std::size_t at, Texts& texts) {
  return with_another_address(log, at, texts, 0);
}
bool with_any_address(Events& log, std::size_t at, Texts& texts) {
  return with_another_address(log, at, texts, 7 * at + log.size());
}
bool with_its_own_address(Events& log, std::size_t at, Texts& texts) {
  return with_another_address(log, at, texts, at + log.size(), Instead::kOwn);
}
bool with_no_address(Events& log, std::size_t at, Texts& texts) {
  return with_another_address(log, at, texts, at + log.size(), Instead::kNone);
}
bool elsewhere(Events& log, std::size_t at, Texts&) {
  if (log[at].kind != Kind::kWrite) return false;
  log[at].position += 8;
  return true;
}
// Its second half, with zeros over what follows.
bool second_half_and_more(Events& log, std::size_t at, Texts& texts) {
  if (log[at].kind != Kind::kWrite || log[at].data.size() < 2) return false;
  const std::size_t half = log[at].data.size() / 2;
  std::string& bytes = texts.emplace_back(log[at].data.substr(half));
  bytes.append(16, '\0');
  log[at].position += half;
  log[at].data = bytes;
  return true;
}
// As if it had been written for another purpose.
template <Memory kMemory>
bool with_purpose(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes() || log[at].memory == kMemory) return false;
  log[at].memory = kMemory;
  return true;
}

// The library asks its driver for another write: a shorter or longer one, elsewhere, or two.
bool announced_otherwise(Events& log, std::size_t at, Texts&) {
  if (log[at].kind != Kind::kAnnounce || log[at].size < 2) return false;
  Event& event = log[at];
  switch (at / 3 % 4) {
    case 0: --event.size; break;
    case 1: ++event.size; break;
    case 2: event.position += 8; break;
    default: {
      Event second = event;
      event.size /= 2;
      second.position += event.size;
      second.size -= event.size;
      insert(log, at + 1, second);
    }
  }
  return true;
}
// A call of something else, for another size or object, or without its last word.
bool called_otherwise(Events& log, std::size_t at, Texts& texts) {
  constexpr std::string_view kVerbs[] = {
      "extent", "create", "delete", "attribute-create", "dataset-flush", "data-write", "move"};
  if (log[at].kind != Kind::kCall) return false;
  std::string& call = texts.emplace_back(log[at].data);
  const std::size_t number = call.find_first_of("0123456789"), verb = call.find(' ');
  switch (at / 3 % 4) {
    case 0:
      if (number == call.npos) return false;
      call[number] = call[number] == '1' ? '9' : '1';
      break;
    case 1: call += 'x'; break;
    case 2: call.resize(std::min(call.rfind(' '), call.size())); break;
    default: call.replace(0, std::min(verb, call.size()), kVerbs[at % std::size(kVerbs)]);
  }
  log[at].data = call;
  return true;
}

// One write of it and the next one, with what is between them.
bool together(Events& log, std::size_t at, Texts& texts, Image image) {
  constexpr std::uint64_t kMost = 20'000;
  if (at + 1 == log.size() || log[at].kind != Kind::kWrite || log[at + 1].kind != Kind::kWrite ||
      log[at].file != log[at + 1].file)
    return false;
  const std::uint64_t begin = std::min(log[at].position, log[at + 1].position);
  std::uint64_t end = begin;
  for (const std::size_t each : {at, at + 1}) {
    end = std::max(end, log[each].position + log[each].data.size());
    hepcheck::trace::apply(log[each], image);
  }
  if (end - begin > kMost) return false;
  log[at].position = begin;
  log[at].data = texts.emplace_back(image.substr(begin, end - begin));
  remove(log, at + 1);
  return true;
}
bool called(Events& log, std::size_t at, Texts&) {
  constexpr std::string_view kCalls[] = {
      "extent 18 /d",     "create /e", "delete /d",       "attribute-create units - /d",
      "dataset-flush /d", "flushing",  "object-flush /d", "close",
      "swmr-started"};
  insert(log, at + 1, behind(log[at], Kind::kCall, kCalls[at / 3 % std::size(kCalls)]));
  return true;
}
// The file ends inside of the write, or is longer.
bool resized(Events& log, std::size_t at, Texts&) {
  if (log[at].kind != Kind::kWrite) return false;
  Event made = behind(log[at], Kind::kResize);
  made.position = log[at].position + (at % 2 == 0 ? log[at].data.size() / 2 : 9'000);
  insert(log, at + 1, made);
  return true;
}
bool closed(Events& log, std::size_t at, Texts&) {
  if (!log[at].changes()) return false;
  insert(log, at + 1, behind(log[at], Kind::kClose));
  insert(log, at + 2, behind(log[at], Kind::kOpen, "/data/file.h5"));
  return true;
}

struct Mutation {
  std::string_view name;
  bool (*apply)(Events&, std::size_t, Texts&);
};
constexpr Mutation kMutations[] = {
    {"swapped", swapped},
    {"missing", missing},
    {"repeated", repeated},
    {"late", late},
    {"early", early},
    {"after the barrier", after_the_barrier},
    {"flushed", flushed},
    {"synced", synced},
    {"in pieces", in_pieces},
    {"byte at the beginning", with_another_byte<0>},
    {"byte at 20 %", with_another_byte<1>},
    {"byte at 40 %", with_another_byte<2>},
    {"byte at 60 %", with_another_byte<3>},
    {"byte at 80 %", with_another_byte<4>},
    {"elsewhere", elsewhere},
    {"second half and more", second_half_and_more},
    {"of unknown purpose", with_purpose<Memory::kUnknown>},
    {"called", called},
    {"resized", resized},
    {"closed", closed},
};
// Of addresses, of purposes and of what the library is asked for.
constexpr Mutation kMutationsOfMeaning[] = {
    {"the next address", with_the_next_address},
    {"any other address", with_any_address},
    {"its own address", with_its_own_address},
    {"no address", with_no_address},
    {"as raw data", with_purpose<Memory::kRawData>},
    {"as metadata", with_purpose<Memory::kDefault>},
    {"announced otherwise", announced_otherwise},
    {"called otherwise", called_otherwise},
};

struct Sum {
  std::size_t all = 0, telling = 0;
  std::string text{};

  void add(const Log& log, const CheckOptions& options = {}) {
    const FileReport report = checked(log, options);
    ++all;
    for (const SubjectReport& subject : report.subjects)
      telling += subject.verdict == SubjectVerdict::kFail;
    text += text_of(report);
  }
  std::string line(std::string_view name) const {
    return std::format(" {}: {} {} {}\n", name, all, telling, golden::digest_of(text));
  }
};

// Each kind of mutation changes other events: every third one from `first`, fewer of long logs.
std::size_t step_of(const Log& log) { return 3 + log.events.size() / 32; }
std::string mutated_everywhere(const Log& log, const Mutation& mutation, std::size_t first) {
  const std::size_t step = step_of(log);
  Sum sum;
  for (std::size_t at = first % step; at < log.events.size(); at += step) {
    Log changed = log;
    Texts texts;
    if (mutation.apply(changed.events, at, texts)) sum.add(changed);
  }
  return sum.all == 0 ? std::string() : sum.line(mutation.name);
}

// Two writes as one, and as many as possible of those that follow a barrier.
std::string joined_everywhere(const Log& log) {
  Sum sum;
  std::vector<Image> images;
  for (const hepcheck::trace::File& file : log.files)
    images.push_back(hepcheck::trace::before(file));
  for (std::size_t at = 0; at < log.events.size(); ++at) {
    const Event& event = log.events[at];
    if (event.file >= images.size()) continue;
    Log changed = log;
    Texts texts;
    const bool first = at == 0 || divides(log.events[at - 1]);
    if ((first || at % step_of(log) == 0) &&
        together(changed.events, at, texts, images[event.file])) {
      sum.add(changed);
      while (first && together(changed.events, at, texts, images[event.file])) {
      }
      if (first) sum.add(changed);
    }
    hepcheck::trace::apply(event, images[event.file]);
  }
  return sum.all == 0 ? std::string() : sum.line("together");
}

// One write of several that follow one another, up to a barrier or fewer, in which several blocks
// have other addresses: those of others, their own or none. So it has several mistakes, of which
// any may be found first.
std::string several_in_one_write(const Log& log, std::uint64_t seed) {
  // Blocks that may lead to themselves: inner nodes of trees, and continued headers.
  const auto may_be_circle = [](const Event& each) {
    return each.data.starts_with("BTIN") || each.data.starts_with("OCHK");
  };
  const bool circular = std::ranges::any_of(log.events, may_be_circle);
  const int times = circular ? 40 : 6;
  Random random(seed);
  std::vector<std::size_t> begins;
  std::vector<std::vector<Image>> images;  // of all files, there
  std::vector<Image> now;
  for (const hepcheck::trace::File& file : log.files) now.push_back(hepcheck::trace::before(file));
  for (std::size_t at = 0; at < log.events.size(); ++at) {
    const Event& event = log.events[at];
    if (event.file >= now.size()) continue;
    if (event.kind == Kind::kWrite && at + 1 < log.events.size() &&
        log.events[at + 1].kind == Kind::kWrite) {
      begins.push_back(at);
      images.push_back(now);
    }
    hepcheck::trace::apply(event, now[event.file]);
  }
  if (begins.empty()) return {};
  Sum sum;
  for (int i = 0; i < times; ++i) {
    Log changed = log;
    Texts texts;
    const std::size_t which = random.below(circular ? (begins.size() + 1) / 2 : begins.size());
    const std::size_t begin = begins[which];
    for (std::size_t at = begin; at < log.events.size() && log.events[at].kind == Kind::kWrite;
         ++at) {
      if (may_be_circle(log.events[at]) && random.once_in(2)) {
        const std::size_t turn = random.below(1'000);
        with_another_address(changed.events, at, texts, turn, Instead::kOwn);
      }
      for (std::uint64_t n = random.below(circular ? 2 : 4); n > 0; --n) {
        constexpr Instead kOthers[] = {Instead::kOther, Instead::kOther, Instead::kOwn,
                                       Instead::kNone};
        const std::size_t turn = random.below(1'000);
        if (random.once_in(6))
          with_another_byte(changed.events, at, texts, 40, random.below(40));
        else
          with_another_address(changed.events, at, texts, turn, random.one_of(kOthers));
      }
    }
    const std::uint64_t joined = random.once_in(4) ? random.below(4) : log.events.size();
    for (std::uint64_t n = joined;
         n > 0 && together(changed.events, begin, texts, images[which][log.events[begin].file]);
         --n) {
    }
    changed.events[begin].memory = Memory::kUnknown;
    sum.add(changed, {.as_swmr = random.once_in(2)});
  }
  return sum.line("several in one write");
}

// The whole log changed, or judged in another way.
std::string mutated_as_a_whole(const Log& log) {
  Sum sum;
  sum.add(log, {.as_swmr = true});
  sum.add(log, {.max_findings = 1});
  for (const Kind left_out : {Kind::kCall, Kind::kAnnounce, Kind::kOpen, Kind::kClose}) {
    Log changed = log;
    std::erase_if(changed.events, [&](const Event& each) { return each.kind == left_out; });
    sum.add(changed);
  }
  Log twice = log;
  twice.events.insert(twice.events.end(), log.events.begin(), log.events.end());
  sum.add(twice);
  return sum.line("as a whole");
}

// Two or three mutations of any kinds and events, judged in any way.
template <std::size_t kCount>
std::string mutated_at_random(const Log& log, std::uint64_t seed,
                              const Mutation (&mutations)[kCount]) {
  constexpr int kTimes = 5;
  Random random(seed);
  Sum sum;
  for (int i = 0; i < kTimes; ++i) {
    Log changed = log;
    Texts texts;
    for (std::uint64_t n = 2 + random.below(2); n > 0 && !changed.events.empty(); --n) {
      const Mutation mutation = random.one_of(mutations);
      mutation.apply(changed.events, random.below(changed.events.size()), texts);
    }
    CheckOptions options;
    options.as_swmr = random.once_in(3);
    if (random.once_in(4)) options.max_findings = random.below(4);
    sum.add(changed, options);
  }
  return sum.line("several at once");
}

// The events between two barriers in another order: reversed, or at random.
std::string reordered(const Log& log, std::uint64_t seed) {
  constexpr int kTimes = 6;
  Random random(seed);
  Sum sum;
  for (int i = 0; i < kTimes; ++i) {
    Log changed = log;
    const auto end = changed.events.end();
    for (auto from = changed.events.begin(); from != end;) {
      const auto to = std::find_if(from, end, divides);
      if (i == 0)
        std::reverse(from, to);
      else
        for (auto each = from; each != to; ++each)
          std::iter_swap(each, from + static_cast<std::ptrdiff_t>(random.below(
                                          static_cast<std::uint64_t>(each - from) + 1)));
      from = to == end ? end : to + 1;
    }
    sum.add(changed);
  }
  return sum.line("reordered");
}

// Each write of a superblock has all status flags, and is in two parts at each place around them,
// in either order or behind another opening of the file.
std::string mutated_superblocks(const Log& log) {
  constexpr std::size_t kFlags = 11;
  Sum flags, pieces;
  for (std::size_t at = 0; at < log.events.size(); ++at) {
    const Event& event = log.events[at];
    if (event.kind != Kind::kWrite || !event.data.starts_with("\x89HDF") ||
        event.data.size() < 2 * kSum + kFlags)
      continue;
    for (const char each : {'\0', '\1', '\2', '\4', '\5', '\7'}) {
      Log changed = log;
      Texts texts;
      with_other_bytes(changed.events[at], texts,
                       [&](std::string& bytes) { bytes[kFlags] = each; });
      flags.add(changed);
    }
    for (const std::size_t size : {kFlags - 1, kFlags, kFlags + 1, event.data.size() - kSum})
      for (const unsigned how : {0U, 1U, 2U}) {
        Log changed = log;
        Event second = event;
        second.position += size;
        second.data.remove_prefix(size);
        changed.events[at].data = event.data.substr(0, size);
        insert(changed.events, at + 1, second);
        if (how == 1) std::swap(changed.events[at], changed.events[at + 1]);
        if (how == 2) insert(changed.events, at, behind(event, Kind::kOpen, "/data/file.h5"));
        pieces.add(changed);
      }
  }
  return flags.all == 0 ? std::string() : flags.line("flags") + pieces.line("pieces");
}

TEST(TraceLogMeanings, OfSuperblocksEqualTheGoldenFile) {
  std::string text;
  for (const std::filesystem::path& path : log_files()) {
    const std::string name = path.stem().string();
    if (name.starts_with("swmr-open-flags") || name.starts_with("user-block") ||
        name.starts_with("object-created") || name.starts_with("swmr-checksum"))
      text += '[' + name + "]\n" + mutated_superblocks(log_of(path));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/trace_superblocks.txt"));
}

// The reports about every log with these mutations, one at a time and several at once; `more` are
// the lines about others.
template <std::size_t kCount>
std::string mutated_logs(const Mutation (&mutations)[kCount], std::string (*more)(const Log&)) {
  std::string text;
  for (const std::filesystem::path& path : log_files()) {
    const Log log = log_of(path);
    const std::string name = path.stem().string();
    text += '[' + name + "]\n";
    std::size_t first = name.size();
    for (const Mutation& each : mutations) text += mutated_everywhere(log, each, ++first);
    text += more(log) + mutated_at_random(log, fnv1a(name), mutations);
  }
  return text;
}

TEST(TraceLogMutations, ReportsEqualTheGoldenFile) {
  const auto more = [](const Log& log) { return joined_everywhere(log) + mutated_as_a_whole(log); };
  EXPECT_TRUE(golden::equals(mutated_logs(kMutations, more),
                             "validator/formats/hdf5/golden/trace_log_mutations.txt"));
}

TEST(TraceLogMeanings, ReportsEqualTheGoldenFile) {
  const auto more = [](const Log& log) { return reordered(log, log.events.size()); };
  EXPECT_TRUE(golden::equals(mutated_logs(kMutationsOfMeaning, more),
                             "validator/formats/hdf5/golden/trace_log_meanings.txt"));
}

// Writes with several mistakes each.
TEST(TraceLogMistakes, OfOneWriteEqualTheGoldenFile) {
  std::string text;
  for (const std::filesystem::path& path : log_files()) {
    const std::string name = path.stem().string();
    text += '[' + name + "]\n" + several_in_one_write(log_of(path), fnv1a(name));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/trace_one_write.txt"));
}

// Reading all of a file after each write gives the same as reading what changed, although blocks
// and chunks lie on those of others.
TEST(TraceLogMeanings, ReadingEverythingAgainChangesNothing) {
  std::size_t compared = 0;
  for (const std::filesystem::path& path : log_files()) {
    const Log log = log_of(path);
    for (std::size_t at = path.stem().string().size() % 3; at < log.events.size(); at += 3) {
      Log changed = log;
      Texts texts;
      if (!with_another_address(changed.events, at, texts, 5 * at)) continue;
      ASSERT_EQ(text_of(checked(changed, {.all_of_it = true})), text_of(checked(changed)))
          << path << " event " << at;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace hepcheck::hdf5::trace
