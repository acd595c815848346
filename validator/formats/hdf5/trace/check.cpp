#include "validator/formats/hdf5/trace/check.h"

#include <algorithm>
#include <format>
#include <memory>
#include <utility>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/trace/watch.h"
#include "validator/judge.h"

namespace hepcheck::hdf5::trace {

namespace {

using hepcheck::trace::FileNumber;

// The reason why a clause is not checked here, in the words of the catalogue.
struct Elsewhere {
  ClauseId clause;
  std::string_view why;
};
constexpr std::string_view
    kModes = "a log shows only one program: hepcheck trace modes",
    kReplay = "hepcheck trace replay judges it",
    kInside =
        "it is inside the writer's cache and cannot be observed; swmr-flush-children-first and the "
        "clauses of the tables judge the effects of a violation";
constexpr Elsewhere kElsewhere[] = {
    {"swmr-open-no-writer-beside-readers", kModes},
    {"swmr-open-one-writer", kModes},
    {"swmr-write-throughput", "a log has no times: hepcheck trace modes"},
    {"swmr-flush-parent-pinned", kInside},
    {"swmr-flush-lifetime", kInside},
    {"swmr-flush-example-orders", "it is about an example, which the tests of the checker cover"},
    {"swmr-crash-prefix-readable", kReplay},
    {"swmr-torn-write-detected", kReplay},
    {"swmr-reordered-writes-told", kReplay},
};

class LogCheck {
 public:
  LogCheck(const Log& log, FileNumber file, const CheckOptions& options)
      : log_(log), file_(file), options_(options), results_(options.max_findings) {
    for (auto make : {watch_writes, watch_order, watch_session, watch_append, watch_chunks,
                      watch_values, watch_structures})
      watches_.push_back(make(results_, shared_));
    watches_.push_back(watch_opening(results_));
  }

  bool run() {
    image_ = hepcheck::trace::before(log_.files[file_]);
    look_anew();
    shared_.times.begin(image_.size());
    shared_.calls = std::ranges::any_of(
        log_.events, [](const Event& event) { return event.kind == Event::Kind::kCall; });
    any_ = before_->readable;
    for (const auto& watch : watches_) watch->begin(*before_, image_);
    if (options_.as_swmr || before_->swmr()) swmr_from_now();
    for (const Event& event : log_.events)
      if (event.file == file_ || event.file == hepcheck::trace::kEveryFile) take(event);
    for (const auto& watch : watches_) watch->end(*before_);
    return any_;
  }

  std::vector<ClauseOutcome> take() && {
    for (const Elsewhere& each : kElsewhere)
      results_.not_checked(each.clause, std::string(each.why));
    return std::move(results_).take();
  }

 private:
  void take(const Event& event) {
    for (const auto& watch : watches_) watch->event(event, *before_);
    switch (event.kind) {
      case Event::Kind::kWrite: write(event); break;
      case Event::Kind::kResize:
        hepcheck::trace::apply(event, image_);
        look_anew();
        break;
      case Event::Kind::kClose:
      case Event::Kind::kSync: barrier({}); break;
      case Event::Kind::kCall:
        if (event.data == "swmr-started") swmr_from_now();
        if (hepcheck::trace::is_barrier(event.data)) barrier(event.data);
        break;
      default: break;
    }
  }

  // The image changed, but not by a write.
  void look_anew() {
    with_room_ = image_;
    with_room_.resize(image_.size() + kRoom);
    before_ = std::make_shared<const Seen>(see_with_room(with_room_));
  }

  // The effect of a write on the span.
  Seen look(const Span& span) const {
    return options_.all_of_it ? see_with_room(with_room_) : see_again(with_room_, *before_, span);
  }

  void swmr_from_now() {
    if (std::exchange(swmr_, true)) return;
    for (const auto& watch : watches_) watch->swmr_begins(*before_);
  }

  void barrier(std::string_view call) {
    for (const auto& watch : watches_) watch->barrier(call, *before_, image_, swmr_);
    shared_.structural.clear();
  }

  // Whether the bytes may have changed a reader's result.
  bool matters(const Event& event, const Span& span, std::string_view old,
               std::string_view kind) const {
    if (event.data == old) return false;
    if (!before_->readable || kind == "superblock" || before_->block_in(span)) return true;
    // A change outside the visited structures does not affect the reader, unless it reported an
    // error.
    if (before_->errors.empty()) return false;
    if (!kind.empty()) return true;
    if (event.memory != Memory::kRawData && event.memory != Memory::kUnknown) return true;
    return std::ranges::any_of(before_->errors, [&](const Trouble& trouble) {
      return span.meets(Span::of(trouble.block, 1 << 16));
    });
  }

  std::string_view kind_at(const Event& event) const {
    const std::string_view kind = kind_of(event.data);
    // The library declares the global heap as raw data to its driver as well.
    if (event.memory == Memory::kRawData && kind != "GCOL") return {};
    if (kind == "superblock" && before_->readable && event.position != before_->base) return {};
    // Values may look like a block.
    const Span begin = Span::of(event.position, 4);
    if (!kind.empty() && (event.memory == Memory::kUnknown || event.memory == Memory::kRawData))
      for (const DatasetSeen& dataset : before_->datasets.all())
        for (const ChunkList::Entry& each : dataset.chunks.all())
          if (each.chunk.span.meets(begin)) return {};
    return kind;
  }

  void write(const Event& event) {
    const Span span = Span::of(event.position, event.data.size());
    const std::string old =
        image_.substr(std::min<std::size_t>(event.position, image_.size()), event.data.size());
    const std::string_view kind = kind_at(event);
    const bool matter = matters(event, span, old, kind);
    hepcheck::trace::apply(event, image_);
    if (with_room_.size() < image_.size() + kRoom) with_room_.resize(image_.size() + kRoom);
    hepcheck::trace::apply(event, with_room_);
    const std::shared_ptr<const Seen> after =
        matter ? std::make_shared<const Seen>(look(span)) : before_;
    Step step{.event = event,
              .number = number_++,
              .before = *before_,
              .after = *after,
              .image = image_,
              .old_bytes = old,
              .span = span,
              .kind = kind};
    describe(step);
    if (matter) name_chunks(step);
    if (before_->readable && after->readable && after->swmr() && !before_->swmr()) swmr_from_now();
    step.swmr = swmr_ && before_->readable;
    shared_.times.write(span, step.number);
    for (const auto& watch : watches_) watch->write(step);
    if (before_->swmr() && after->readable && !after->swmr()) swmr_ = options_.as_swmr;
    any_ |= after->readable;
    before_ = after;
  }

  // Both lists are ordered by position.
  static void name_chunks(Step& step) {
    each_dataset(
        step.after.datasets, step.before.datasets,
        [&](const DatasetSeen& dataset, const DatasetSeen* before) {
          if (before == &dataset) return;
          const ChunkList none;
          const ChunkList& old = before ? before->chunks : none;
          std::size_t at = 0;
          for (const auto& [place, chunk] : dataset.chunks.all()) {
            while (at < old.size() && in_order(old[at].place, place) < 0) ++at;
            const bool known = at < old.size() && in_order(old[at].place, place) == 0;
            const ChunkSeen* was = known ? &old[at].chunk : nullptr;
            if (!was || was->span.begin != chunk.span.begin || was->span.end != chunk.span.end)
              step.named.push_back({dataset, before, place, chunk, was});
          }
        });
  }

  void describe(Step& step) const {
    for (const BlockSeen& block : step.after.blocks)
      if (step.span.holds(block.span)) step.whole.push_back(&block);
    if (step.whole.empty() && step.kind.empty())
      for (const Seen* seen : {&step.after, &step.before})
        for (const BlockSeen& block : seen->blocks)
          if (!step.within && block.span.meets(step.span)) step.within = &block;
    const bool sound = std::ranges::any_of(
        step.whole, [&](const BlockSeen* block) { return block->span.begin == step.span.begin; });
    step.own_sum_good = step.kind.empty() || sound || sum_holds(step.kind, step.event.data);
    std::set<decltype(std::declval<Trouble>().key())> old;
    if (!step.after.errors.empty())
      for (const Trouble& trouble : step.before.errors) old.insert(trouble.key());
    for (const Trouble& trouble : step.after.errors)
      if (!old.contains(trouble.key())) step.fresh.push_back(trouble);
  }

  const Log& log_;
  FileNumber file_;
  const CheckOptions& options_;
  Results results_;
  Shared shared_{};
  std::vector<std::unique_ptr<Watch>> watches_{};
  Image image_{}, with_room_{};
  std::shared_ptr<const Seen> before_{};
  std::int64_t number_ = 0;
  bool swmr_ = false, any_ = false;
};

ClauseResult result_of(const Clause& clause, const ClauseOutcome* outcome,
                       std::string_view elsewhere) {
  ClauseResult result{.clause = &clause, .severity = clause.default_severity};
  if (outcome && !outcome->findings.empty()) {
    result.verdict = Verdict::kFail;
    result.examined = outcome->examined;
    result.findings = outcome->findings;
    result.suppressed = outcome->more;
    for (Finding& finding : result.findings) finding.severity = clause.default_severity;
  } else if (clause.level == Level::kMay) {
    result.reason = "a permission";
  } else if (outcome && outcome->examined > 0 && outcome->not_checked.empty()) {
    result.verdict = Verdict::kPass;
    result.examined = outcome->examined;
  } else if (outcome && !outcome->not_checked.empty()) {
    result.verdict = Verdict::kNotChecked;
    result.reason = outcome->not_checked;
  } else if (!elsewhere.empty()) {
    result.verdict = Verdict::kNotChecked;
    result.reason = elsewhere;
  } else {
    result.reason = "the log contains no such event";
  }
  return result;
}

}  // namespace

SubjectReport subject_of(const std::vector<ClauseOutcome>& outcomes, std::string_view elsewhere,
                         std::uint64_t max_findings) {
  const Specification& spec = swmr_design();
  SubjectReport subject{.kind = "file", .spec = &spec};
  std::vector<ClauseResult> results;
  for (const Clause& clause : spec.clauses) {
    if (clause.subject != Subject::kProducer) continue;
    const auto found = std::ranges::find(outcomes, clause.id, &ClauseOutcome::clause);
    results.push_back(result_of(clause, found == outcomes.end() ? nullptr : &*found, elsewhere));
  }
  subject.clauses = ClauseResults(std::move(results));
  // Clauses that no log can decide do not affect the verdict.
  ExamineOptions options;
  options.allow_unchecked = true;
  options.max_findings = max_findings;
  decide(subject, options);
  return subject;
}

void check(const Log& log, const CheckOptions& options, FileReport& into) {
  for (FileNumber file = 0; file < log.files.size(); ++file) {
    const std::string& name = log.files[file].name;
    const std::string unseen = hepcheck::trace::missing(log, file);
    if (!unseen.empty()) {
      into.unreadable.push_back({name, unseen});
      continue;
    }
    LogCheck log_check(log, file, options);
    if (!log_check.run()) {
      into.unreadable.push_back({name, "not an HDF5 file at any time"});
      continue;
    }
    SubjectReport subject = subject_of(std::move(log_check).take(), {}, options.max_findings);
    subject.path = name;
    into.subjects.push_back(std::move(subject));
  }
}

}  // namespace hepcheck::hdf5::trace
