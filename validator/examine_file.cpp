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

#include "validator/hdf5/error.h"
#include "validator/hdf5/file.h"
#include "validator/hdf5/file_values.h"

namespace hepcheck {

namespace {

// Judges the tables of a file in the order in which they are read. Where there are many, that is
// done on a thread of its own, some at a time, while the next ones are read.
class Judging {
 public:
  Judging(Engine& engine, bool alone, std::vector<TableReport>& into)
      : engine_(engine), alone_(alone), into_(into) {}
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;
  ~Judging() { stop(); }

  void add(Table&& table, std::optional<TableFacts>&& facts) {
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
    Table table;
    std::optional<TableFacts> facts;
  };
  static constexpr std::size_t kAtOnce = 16, kMostWeight = 4096, kMostWaiting = 4;

  void judge(const Case& one) { into_.push_back(engine_.judge(one.table, one.facts)); }

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

  Engine& engine_;
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

void examine_opened(const hdf5::File& file, const std::optional<std::string>& group,
                    const Specification& spec, const FileOptions& options, FileReport& report) {
  hdf5::FileValues values(file.context());
  Engine engine(spec, options.examine);
  Judging judging(engine, options.examine.jobs == 1, report.tables);
  const auto add = [&](Table&& table) {
    std::optional<TableFacts> facts = engine.facts(table, values);
    judging.add(std::move(table), std::move(facts));
  };
  if (group) {
    Result<Table> table = hdf5::read_table_at(file, *group);
    if (table)
      add(std::move(*table));
    else
      report.error = table.error();
    return;
  }
  hdf5::for_each_table(
      file, {.table = [&](Table&& table) { add(std::move(table)); },
             .unreadable = [&](Error error) { report.unreadable.push_back(std::move(error)); }});
  judging.finish();
  if (report.tables.empty() && report.unreadable.empty() && !options.allow_no_tables)
    report.error = Error{report.path, "no table group: no group has CLASS = COLUMN_TABLE"};
}

template <class Open>
FileReport examine_with(Open open, const std::string& name,
                        const std::optional<std::string>& group, const Specification& spec,
                        const FileOptions& options) {
  FileReport report{.path = name};
  hdf5::initialise(options.allow_plugins);
  try {
    Result<hdf5::File> file = open();
    if (file)
      examine_opened(*file, group, spec, options, report);
    else
      report.error = file.error();
  } catch (const std::bad_alloc&) {
    report.error = Error{name, "out of memory"};
  }
  return report;
}

}  // namespace

FileReport examine_file(const std::string& path, const std::optional<std::string>& group,
                        const Specification& spec, const FileOptions& options) {
  return examine_with([&] { return hdf5::File::open(path, options.limits); }, path, group, spec,
                      options);
}

FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& group, const Specification& spec,
                         const FileOptions& options) {
  return examine_with([&] { return hdf5::File::open_image(image, options.limits); }, name, group,
                      spec, options);
}

int exit_status(const Report& report) {
  bool unexamined = false;
  for (const FileReport& file : report.files) {
    unexamined |= file.error.has_value() || !file.unreadable.empty();
    for (const TableReport& table : file.tables) {
      if (table.verdict == TableVerdict::kFail) return 1;
      unexamined |= table.verdict != TableVerdict::kPass;
    }
  }
  return unexamined ? 3 : 0;
}

}  // namespace hepcheck
