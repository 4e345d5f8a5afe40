// What every load and store of a kernel meets in L2, without playing the kernel: all its CTAs walk through their
// work items side by side, each at the pace of its own matrix and vector work, and touch their boxes in that
// order. The traffic of the whole kernel is counted; for some items each access is written down, so that these
// can be played alone with what the others did to L2.
//
// Modelled: residency and eviction as in hw/l2, who is first to touch a box, and that the first waits for HBM, so
// that CTAs with the same boxes end up side by side. CTAs that ask for a box while it is on its way share the
// bytes: who of them comes first is chance, and all of them wait.
// Not modelled: queueing. The order inside a loop iteration is that of the ops.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/play/compile.hpp"
#include "hw/play/play.hpp"

namespace rooftile::hw::player {

using Access = L2Cache::Outcome;

struct Traffic {
  double work = 0;      // matrix and vector work of a gang, picoseconds
  double memory = 0;    // time of HBM at full bandwidth over the time of matrix and vector work
  double late = 0;      // time that CTAs wait for HBM although they prefetch, over their work
  L2Traffic all, part;  // of the kernel, and of the sampled items alone
  // Of the sampled items, by item, then role and CTA of the cluster, in the order of the role's accesses.
  std::vector<std::vector<std::vector<Access>>> sampled;
};

// How long loop iterations and work items take when memory is no obstacle: the slowest role's solo time, stretched
// by what all roles and CTAs of an SM ask of its busiest unit.
class Pace {
 public:
  Pace(const TileProgram& program, const Machine& machine, const Compiled& code, int ctas_per_sm);
  double iteration(std::size_t section) const { return iteration_[section]; }
  double item(const WorkItem& item) const;
  // From the start of an asynchronous load to the first op that needs it.
  double cover(std::size_t section, std::uint32_t op) const;

 private:
  double slowest(std::size_t section) const;
  double free_time(std::uint8_t ring) const;
  const TileProgram& program_;
  const Compiled& code_;
  std::vector<double> own_, iteration_;
  double stretch_ = 1;
};

// `slot[i]` is the place of item i in `sampled`, or -1.
Traffic traffic_pass(const TileProgram& program, const Machine& machine, const PlayOptions& options, const Compiled& code,
                     const std::vector<std::int32_t>& slot, std::size_t sampled);

// What earlier kernels left in L2, and what the kernel before has just written.
void prepare_l2(L2Cache& l2, const TileProgram& program, const Machine& machine, const PlayOptions& options);

}  // namespace rooftile::hw::player
