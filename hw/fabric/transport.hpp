// Messages as chunks on first-come-first-served links. A link may start on a chunk as soon as its first packet has
// arrived (cut-through), so an idle path costs the latencies, one chunk at the narrowest link and a packet per
// further hop; a switch does not double the time. Congestion, incast and stragglers come out of the queues.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hw/fabric/topology.hpp"
#include "sim/core/engine.hpp"
#include "sim/core/servers.hpp"

namespace rooftile::hw::fabric {

class Transport : public core::EventHandler {
 public:
  using Delivered = std::function<void(core::Time at)>;

  Transport(core::Engine& engine, const Topology& topology, core::Bytes chunk);

  // From now. `delivered` runs when the last byte has arrived. The message waits its turn at every link.
  void send(std::size_t from_gpu, std::size_t to_gpu, core::Bytes bytes, std::uint64_t flow, Delivered delivered);

  std::int64_t bytes_over(std::uint32_t edge) const { return bytes_[edge]; }
  core::Time busy(std::uint32_t edge) const { return links_[edge].busy(); }

  void handle(core::Engine& engine, std::uint32_t code, std::uint32_t arg) override;

 private:
  struct Message {
    Route route;
    std::int64_t chunks_left = 0;
    Delivered delivered;
  };
  struct Chunk {
    std::uint32_t message = 0;
    std::int32_t hop = 0;
    std::int64_t bytes = 0;
    core::Time tail;  // when its last byte is in at the present hop
    bool first = false;
  };
  void enter_link(core::Engine& engine, std::uint32_t chunk);
  void arrive(core::Engine& engine, std::uint32_t chunk);

  core::Engine& engine_;
  const Topology& topology_;
  std::int64_t chunk_bytes_;
  std::vector<core::FifoServer> links_;
  std::vector<std::int64_t> bytes_;
  std::vector<Message> messages_;
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> free_chunks_, free_messages_;
};

}  // namespace rooftile::hw::fabric
