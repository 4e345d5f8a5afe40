#include "hw/fabric/transport.hpp"

#include <algorithm>

namespace rooftile::hw::fabric {
namespace {

constexpr std::uint32_t kEnterLink = 0, kArrive = 1;

std::uint32_t take(std::vector<std::uint32_t>& free, std::size_t size) {
  if (free.empty()) return static_cast<std::uint32_t>(size);
  const std::uint32_t slot = free.back();
  free.pop_back();
  return slot;
}

}  // namespace

Transport::Transport(core::Engine& engine, const Topology& topology, core::Bytes chunk)
    : engine_(engine), topology_(topology), chunk_bytes_(std::max<std::int64_t>(1, chunk.value)),
      links_(topology.edges()), bytes_(topology.edges()) {}

void Transport::send(std::size_t from_gpu, std::size_t to_gpu, core::Bytes bytes, std::uint64_t flow,
                     Delivered delivered) {
  const std::uint32_t m = take(free_messages_, messages_.size());
  if (m == messages_.size()) messages_.emplace_back();
  const std::int64_t chunks = std::max<std::int64_t>(1, (bytes.value + chunk_bytes_ - 1) / chunk_bytes_);
  messages_[m] = {topology_.route(from_gpu, to_gpu, flow), chunks, std::move(delivered)};
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::uint32_t c = take(free_chunks_, chunks_.size());
    if (c == chunks_.size()) chunks_.emplace_back();
    const std::int64_t size = std::min(chunk_bytes_, bytes.value - i * chunk_bytes_);
    chunks_[c] = {m, 0, std::max<std::int64_t>(0, size), engine_.now(), i == 0};
    engine_.schedule(engine_.now(), *this, messages_[m].route.empty() ? kArrive : kEnterLink, c);
  }
}

void Transport::handle(core::Engine& engine, std::uint32_t code, std::uint32_t arg) {
  code == kEnterLink ? enter_link(engine, arg) : arrive(engine, arg);
}

// The chunk's first packet is at the link. The link is taken until the chunk is through, which a slower link before
// it may delay: then it is the slower link's last packet that ends it.
void Transport::enter_link(core::Engine& engine, std::uint32_t number) {
  Chunk& chunk = chunks_[number];
  const Message& message = messages_[chunk.message];
  const std::uint32_t e = message.route[static_cast<std::size_t>(chunk.hop)];
  const Edge& edge = topology_.edge(e);
  core::FifoServer& link = links_[e];
  const core::BytesPerSecond rate{edge.bytes_per_second};
  const core::Time packet = core::transfer_time({std::min<std::int64_t>(edge.packet, chunk.bytes)}, rate);
  const core::Time service = core::transfer_time({chunk.bytes}, rate) + (chunk.first ? edge.message : core::Time{});
  const core::Time start = core::later(engine.now(), link.free_at());
  const core::Time fed = chunk.hop > 0 ? chunk.tail + packet : core::Time{};
  const core::Time end = core::later(start + service, fed);
  link.serve(engine.now(), end - start);
  bytes_[e] += chunk.bytes;
  chunk.tail = end + edge.latency;
  const bool last = static_cast<std::size_t>(++chunk.hop) == message.route.size();
  const core::Time head = start + edge.latency + (chunk.first ? edge.message : core::Time{}) + packet;
  engine.schedule(last ? chunk.tail : std::min(head, chunk.tail), *this, last ? kArrive : kEnterLink, number);
}

void Transport::arrive(core::Engine& engine, std::uint32_t number) {
  const std::uint32_t m = chunks_[number].message;
  free_chunks_.push_back(number);
  if (--messages_[m].chunks_left > 0) return;
  const Delivered delivered = std::move(messages_[m].delivered);
  free_messages_.push_back(m);
  if (delivered) delivered(engine.now());
}

}  // namespace rooftile::hw::fabric
