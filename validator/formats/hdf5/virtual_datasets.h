// The mappings of virtual datasets, which say where their values come from (III.F).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/global_heap.h"
#include "validator/formats/hdf5/group_rules.h"
#include "validator/formats/hdf5/objects.h"

namespace hepcheck::hdf5 {

class VirtualDatasets {
 public:
  // Judges the mappings of a dataset, if it is virtual, and adds their sources in other files to
  // the risk profile.
  void read(const Dataset& dataset, const std::string& path, GlobalHeaps& heaps, Container& file);

  // When all objects have been read: the sources in this file. `whole`: all groups were read.
  // `rank_of`: the rank of a dataset, if it is known.
  using RankOf = std::function<std::optional<unsigned>(std::uint32_t object)>;
  void judge_sources(LinkGraph& links, const Objects& objects, bool whole, const RankOf& rank_of,
                     Container& file);

 private:
  // A source in this file.
  struct Source {
    std::uint32_t object;  // the virtual dataset
    std::string path;
    std::optional<unsigned> rank;  // of the selection
    Place at;
  };
  // False if some mapping could not be read.
  bool read_block(const Dataset& dataset, const std::string& path, const Region& block,
                  Container& file);
  std::optional<std::uint32_t> find(const Source& source, LinkGraph& links, const Objects& objects,
                                    const RankOf& rank_of, Container& file) const;
  void judge_loops(const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& sources,
                   const Objects& objects, Container& file) const;

  std::vector<Source> sources_{};
  bool too_many_ = false;  // sources
  std::string unread_{};   // the path of a dataset some of whose mappings could not be read
};

}  // namespace hepcheck::hdf5
