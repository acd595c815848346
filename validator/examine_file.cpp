#include "validator/examine_file.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/formats/hep001/engine.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/limited_values.h"
#include "validator/place.h"

namespace hepcheck {

namespace {

// Judges the tables of a file in the order in which they are read. Where there are many, that is
// done on a thread of its own, some at a time, while the next ones are read.
class Judging {
 public:
  Judging(hep001::Engine& engine, const FileOptions& options, std::vector<TableReport>& into)
      : engine_(engine), options_(options), alone_(options.examine.jobs == 1), into_(into) {}
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;
  ~Judging() { stop(); }

  void add(hep001::Table&& table, std::optional<hep001::TableFacts>&& facts) {
    if (alone_ || ++added_ <= kAtOnce) return judge({std::move(table), std::move(facts)});
    weight_ += 1 + table.group.children.size();
    batch_.push_back({std::move(table), std::move(facts)});
    if (batch_.size() >= kAtOnce || weight_ >= kMostWeight) hand_over();
  }

  // All of them are judged now.
  void finish() {
    if (!batch_.empty()) hand_over();
    stop();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Case {
    hep001::Table table;
    std::optional<hep001::TableFacts> facts;
  };
  static constexpr std::size_t kAtOnce = 16, kMostWeight = 4096, kMostWaiting = 4;

  void judge(const Case& one) {
    into_.push_back(engine_.judge(one.table, one.facts));
    if (options_.on_table) options_.on_table(into_.back());
  }

  void hand_over() {
    if (!thread_.joinable() && !start()) return;
    // Tables go where they come from: memory is given back best by the thread that took it.
    std::vector<std::vector<Case>> done;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
    waiting_.push_back(std::exchange(batch_, {}));
    weight_ = 0;
    done.swap(done_);
    changed_.notify_one();
    lock.unlock();
  }

  // False if the machine gives no thread; the tables then are judged here and now.
  bool start() {
    try {
      thread_ = std::jthread([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      alone_ = true;
      for (const Case& one : batch_) judge(one);
      batch_.clear();
      return false;
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

  void work() {
    while (true) {
      std::vector<Case> batch;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return over_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        batch = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_one();
      }
      try {
        if (!failure_)
          for (const Case& one : batch) judge(one);
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_.push_back(std::move(batch));
    }
  }

  hep001::Engine& engine_;
  const FileOptions& options_;
  bool alone_;
  std::vector<TableReport>& into_;
  std::size_t added_ = 0, weight_ = 0;
  std::vector<Case> batch_{};
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<std::vector<Case>> waiting_{};
  std::vector<std::vector<Case>> done_{};
  bool over_ = false;
  std::exception_ptr failure_{};  // read when the thread is done
  std::jthread thread_{};
};

void examine_opened(const hep001::libhdf5::File& file, const std::optional<std::string>& group,
                    const Specification& spec, const FileOptions& options, FileReport& report) {
  hep001::libhdf5::FileValues all_values(file.context());
  hep001::libhdf5::LimitedValues values(all_values, options.limits, file.bytes());
  hep001::Engine engine(spec, options.examine);
  Judging judging(engine, options, report.tables);
  const auto add = [&](hep001::Table&& table) {
    now_at(Stage::kChecking, table.path());
    std::optional<hep001::TableFacts> facts = engine.facts(table, values);
    judging.add(std::move(table), std::move(facts));
  };
  if (group) {
    Result<hep001::Table> table = hep001::libhdf5::read_table_at(file, *group);
    if (table)
      add(std::move(*table));
    else
      report.error = table.error();
    return;
  }
  hep001::libhdf5::for_each_table(
      file, {.table = [&](hep001::Table&& table) { add(std::move(table)); },
             .unreadable = [&](Error error) { report.unreadable.push_back(std::move(error)); }});
  judging.finish();
  if (report.tables.empty() && report.unreadable.empty() && !options.allow_no_tables)
    report.error = Error{report.path, "no table group: no group has CLASS = COLUMN_TABLE"};
}

FileReport examine_with(Result<hep001::libhdf5::File> file, const std::string& name,
                        const std::optional<std::string>& group, const Specification& spec,
                        const FileOptions& options) {
  FileReport report{.path = name};
  if (file)
    examine_opened(*file, group, spec, options, report);
  else
    report.error = file.error();
  return report;
}

}  // namespace

void prepare(const FileOptions& options) { hep001::libhdf5::initialise(options.allow_plugins); }

FileReport examine_file(const std::string& path, const std::optional<std::string>& group,
                        const Specification& spec, const FileOptions& options) {
  const Result<Descriptor> file = open_for_reading(path);
  if (!file) return {.path = path, .error = file.error()};
  try {
    return examine_descriptor(file->get(), path, group, spec, options);
  } catch (const std::bad_alloc&) {
    return {.path = path, .error = Error{path, "out of memory"}};
  }
}

FileReport examine_descriptor(int descriptor, const std::string& name,
                              const std::optional<std::string>& group, const Specification& spec,
                              const FileOptions& options) {
  prepare(options);
  now_at(Stage::kOpening);
  return examine_with(hep001::libhdf5::File::open_descriptor(descriptor, name, options.limits),
                      name, group, spec, options);
}

FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& group, const Specification& spec,
                         const FileOptions& options) {
  prepare(options);
  try {
    return examine_with(hep001::libhdf5::File::open_image(image, options.limits), name, group, spec,
                        options);
  } catch (const std::bad_alloc&) {
    return {.path = name, .error = Error{name, "out of memory"}};
  }
}

int exit_status(const Report& report, bool violations_count) {
  bool unexamined = false;
  for (const FileReport& file : report.files) {
    unexamined |= file.error.has_value() || !file.unreadable.empty();
    for (const TableReport& table : file.tables) {
      const bool failed = table.verdict == TableVerdict::kFail;
      if (failed && violations_count) return 1;
      unexamined |= !failed && table.verdict != TableVerdict::kPass;
    }
  }
  return unexamined ? 3 : 0;
}

}  // namespace hepcheck
