#include "validator/trace/replay.h"

#include <algorithm>
#include <format>
#include <random>
#include <set>
#include <utility>

#include "validator/fnv1a.h"

namespace hepcheck::trace {

Image before(const File& file) {
  Image image(file.size, '\0');
  for (const File::Piece& piece : file.pieces)
    image.replace(piece.position, piece.data.size(), piece.data);
  return image;
}

void apply(const Event& event, Image& image, std::size_t begin, std::size_t end) {
  if (event.kind == Event::Kind::kResize) {
    image.resize(event.position);
  } else if (event.kind == Event::Kind::kWrite) {
    end = std::min(end, event.data.size());
    begin = std::min(begin, end);
    if (begin == end) return;
    image.resize(std::max<std::size_t>(image.size(), event.position + end));
    image.replace(event.position + begin, end - begin, event.data.substr(begin, end - begin));
  }
}

Image Story::after(std::size_t count) const {
  Image image = start;
  for (std::size_t i = 0; i < count; ++i) apply(*changes[i], image);
  return image;
}

Story story_of(const Log& log, FileNumber file) {
  Story story{.file = file, .start = before(log.files[file])};
  const auto barrier = [&] {
    if (story.barriers.empty() || story.barriers.back() != story.changes.size())
      story.barriers.push_back(story.changes.size());
  };
  for (const Event& event : log.events) {
    if (event.file != file && event.file != kEveryFile) continue;
    if (event.changes()) story.changes.push_back(&event);
    if (event.kind == Event::Kind::kSync || event.kind == Event::Kind::kClose ||
        (event.kind == Event::Kind::kCall && is_barrier(event.data)))
      barrier();
  }
  barrier();
  return story;
}

std::string missing(const Log& log, FileNumber file) {
  const File& recorded = log.files[file];
  if (!recorded.unseen.empty()) return recorded.unseen;
  if (!recorded.opened) return "it was not opened in this log";
  if (!recorded.end) return {};
  const Image image = story_of(log, file).whole();
  if (image.size() == recorded.end->size && fnv1a(image) == recorded.end->sum) return {};
  return "the recorded writes do not lead to the final contents of the file";
}

std::string State::how() const {
  if (kind == Kind::kPrefix) return std::format("after {} of {} operations", applied.size(), total);
  if (kind == Kind::kTorn)
    return std::format("after {} of {} operations, of the last only the bytes {} {}",
                       applied.size(), total, first_part ? "before" : "from", cut);
  std::string text;  // runs of consecutive numbers
  for (std::size_t i = 0; i < applied.size();) {
    std::size_t j = i;
    while (j + 1 < applied.size() && applied[j + 1] == applied[j] + 1) ++j;
    text += (text.empty() ? "" : ", ") +
            (i == j ? std::to_string(applied[i]) : std::format("{}-{}", applied[i], applied[j]));
    i = j + 1;
  }
  return std::format("with the operations {} of 0-{}", text.empty() ? "none" : text,
                     total == 0 ? 0 : total - 1);
}

namespace {

class Maker {
 public:
  Maker(std::span<const std::uint64_t> sizes, const StateOptions& options, const TakeState& take)
      : sizes_(sizes), options_(options), take_(take), random_(options.seed) {}

  bool goes_on() const { return goes_on_; }

  void prefixes(std::span<const Settling> settlings) {
    std::vector<std::size_t> applied;
    std::size_t settled = 0;
    auto next = settlings.begin();
    for (std::size_t i = 0; i <= sizes_.size() && goes_on_; ++i) {
      // The writes directly before a barrier were not durable until it.
      for (; next != settlings.end() && next->before < i; ++next) settled = next->before;
      State state{.settled = settled, .total = sizes_.size()};
      hand_out(state, applied);
      if (options_.torn && i > 0) torn(state, applied, sizes_[i - 1]);
      if (i < sizes_.size()) applied.push_back(i);
    }
  }

  // The operations up to this one have begun, after all earlier ones.
  void begin(std::size_t end) {
    for (; begun_ < end; ++begun_) unsettled_.push_back(begun_);
  }
  void any_of_those_begun(bool finished = false) {
    const bool all = unsettled_.size() <= options_.few;
    const std::size_t count = all ? std::size_t{1} << unsettled_.size() : options_.sample;
    for (std::size_t i = 0; i < count && goes_on_; ++i) {
      std::vector<std::size_t> done;
      // Samples in which few, half, or most of the operations are done.
      const std::uint64_t odds = 1 + i % 3;
      for (std::size_t j = 0; j < unsettled_.size(); ++j)
        if (all ? (i >> j & 1) != 0 : random_() % 4 < odds) done.push_back(unsettled_[j]);
      if (wanted()) take_with(done, settled_state(State::Kind::kAny, finished));
    }
  }
  void one_dropped() {
    for (std::size_t dropped = 0; dropped < unsettled_.size() && goes_on_; ++dropped) {
      if (!wanted()) continue;
      std::vector<std::size_t> done = unsettled_;
      done.erase(done.begin() + static_cast<std::ptrdiff_t>(dropped));
      take_with(done, settled_state(State::Kind::kDropped, false));
    }
  }
  void settle(const std::function<bool(std::size_t)>& which) {
    const auto rest = std::ranges::stable_partition(
        unsettled_, [&](std::size_t i) { return !which || which(i); });
    settled_.insert(settled_.end(), unsettled_.begin(), rest.begin());
    unsettled_.erase(unsettled_.begin(), rest.begin());
  }

 private:
  // A state consists mostly of the list of applied operations, which is only created if requested.
  bool wanted() { return goes_on_ && (!options_.wanted || options_.wanted(number_++)); }
  void hand_out(State& state, const std::vector<std::size_t>& applied) {
    if (!wanted()) return;
    state.applied = applied;
    goes_on_ = take_(state);
  }
  void take_with(const std::vector<std::size_t>& done, State state) {
    state.applied = settled_;
    state.applied.insert(state.applied.end(), done.begin(), done.end());
    std::ranges::sort(state.applied);
    goes_on_ = take_(state);
  }
  State settled_state(State::Kind kind, bool finished) const {
    return {.kind = kind, .finished = finished, .settled = settled_.size(), .total = sizes_.size()};
  }

  // A disk writes sectors of 512 bytes, a page cache pages of 4096; neither is guaranteed.
  void torn(State& state, const std::vector<std::size_t>& applied, std::uint64_t size) {
    std::set<std::uint64_t> cuts{512, 4096, size / 2};
    if (size > 2) cuts.insert(1 + random_() % (size - 1));
    if (size > 0) cuts.insert((size - 1) / 512 * 512);
    state.kind = State::Kind::kTorn;
    for (const std::uint64_t cut : cuts) {
      if (cut == 0 || cut >= size) continue;
      state.cut = cut;
      for (const bool first : {true, false}) {
        state.first_part = first;
        hand_out(state, applied);
      }
    }
  }

  std::span<const std::uint64_t> sizes_;
  const StateOptions& options_;
  const TakeState& take_;
  std::mt19937_64 random_;
  bool goes_on_ = true;
  std::uint64_t number_ = 0;
  std::size_t begun_ = 0;
  std::vector<std::size_t> settled_{}, unsettled_{};
};

std::vector<std::uint64_t> sizes_of(const Story& story) {
  std::vector<std::uint64_t> sizes;
  for (const Event* event : story.changes) sizes.push_back(event->data.size());
  return sizes;
}
std::vector<Settling> settlings_of(const Story& story) {
  std::vector<Settling> settlings;
  for (const std::size_t barrier : story.barriers) settlings.push_back({.before = barrier});
  return settlings;
}

}  // namespace

void each_state(std::span<const std::uint64_t> sizes, std::span<const Settling> settlings,
                const StateOptions& options, const TakeState& take) {
  Maker maker(sizes, options, take);
  maker.prefixes(settlings);
  for (const Settling& settling : settlings) {
    if (!maker.goes_on()) return;
    maker.begin(settling.before);
    if (options.any) maker.any_of_those_begun();
    if (options.dropped) maker.one_dropped();
    maker.settle(settling.settles);
  }
  maker.begin(sizes.size());
  if (options.any) maker.any_of_those_begun(/*finished=*/true);
}

void each_state(const Story& story, const StateOptions& options, const TakeState& take) {
  each_state(sizes_of(story), settlings_of(story), options, take);
}

std::uint64_t count_states(const Story& story, const StateOptions& options) {
  std::uint64_t count = 0;
  StateOptions counting = options;
  counting.wanted = [&](std::uint64_t) { return ++count, false; };
  each_state(story, counting, [](const State&) { return true; });
  return count;
}

bool Sample::next() {
  if (all_ == 0) return false;
  const bool chosen = random_() % all_-- < some_;
  some_ -= chosen;
  return chosen;
}

std::vector<State> states(std::span<const std::uint64_t> sizes, std::span<const Settling> settlings,
                          const StateOptions& options) {
  std::vector<State> all;
  each_state(sizes, settlings, options, [&](const State& state) {
    all.push_back(state);
    return true;
  });
  return all;
}

std::vector<State> states(const Story& story, const StateOptions& options) {
  return states(sizes_of(story), settlings_of(story), options);
}

Image Images::of(const State& state) {
  // A story makes everything before it durable.
  const std::size_t settled = std::min(state.settled, state.applied.size());
  if (settled < done_) {
    base_ = story_.start;
    done_ = 0;
  }
  for (; done_ < settled; ++done_) apply(*story_.changes[done_], base_);
  Image image = base_;
  for (std::size_t i = settled; i < state.applied.size(); ++i) {
    const Event& event = *story_.changes[state.applied[i]];
    const bool torn = state.kind == State::Kind::kTorn && i + 1 == state.applied.size();
    if (torn && state.first_part)
      apply(event, image, 0, state.cut);
    else
      apply(event, image, torn ? state.cut : 0);
  }
  return image;
}

namespace {

// The next combination of as many positions, in order; false after the last.
bool advance(std::vector<std::size_t>& places, std::size_t count) {
  for (std::size_t i = places.size(); i > 0; --i) {
    if (places[i - 1] == count - places.size() + i - 1) continue;
    ++places[i - 1];
    for (std::size_t j = i; j < places.size(); ++j) places[j] = places[j - 1] + 1;
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> smallest(std::vector<std::size_t> all,
                                  const std::function<bool(const std::vector<std::size_t>&)>& shows,
                                  std::size_t tries) {
  // Remove what can be removed, larger parts first.
  for (std::size_t part = std::max<std::size_t>(1, all.size() / 2); part > 0; part /= 2)
    for (std::size_t at = 0; at < all.size() && tries > 0;) {
      std::vector<std::size_t> fewer = all;
      const std::size_t end = std::min(at + part, all.size());
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                  fewer.begin() + static_cast<std::ptrdiff_t>(end));
      --tries;
      if (shows(fewer))
        all = std::move(fewer);
      else
        at += part;
    }
  // Nothing more can be removed at once; a smaller set may still exist.
  for (std::size_t size = 0; size < all.size(); ++size) {
    std::vector<std::size_t> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = i;
    do {
      if (tries-- == 0) return all;
      std::vector<std::size_t> chosen;
      for (const std::size_t place : places) chosen.push_back(all[place]);
      if (shows(chosen)) return chosen;
    } while (advance(places, all.size()));
  }
  return all;
}

}  // namespace hepcheck::trace
