// The description of a GPU as a user writes it: hw/gpus/NAME.yaml. Every number carries its source.
// `resolve` turns it into a Machine at one SM clock.
#pragma once

#include <string>
#include <vector>

#include "hw/machine.hpp"
#include "sim/core/input/fields.hpp"
#include "sim/core/units.hpp"

namespace rooftile::hw {

using input::Range;
using input::Sourced;

struct ClockSpec {
  Sourced<core::Hertz> max, nominal;
  Sourced<double> tensor_guard, tensor_droop;

  template <class V>
  static void visit_fields(V& v) {
    v.field("max", &ClockSpec::max, "highest SM clock", Range{1e8, 1e10});
    v.field("nominal", &ClockSpec::nominal, "SM clock a datasheet's peak refers to", Range{1e8, 1e10});
    v.field("tensor_guard", &ClockSpec::tensor_guard, "share of the clock lost as soon as tensor cores are active", Range{0, 0.5});
    v.field("tensor_droop", &ClockSpec::tensor_droop, "further share lost at full tensor activity on random data", Range{0, 0.8});
  }
};

struct TensorSpec {
  Sourced<double> bf16, tf32, fp8, mma_sync_share, latency;

  template <class V>
  static void visit_fields(V& v) {
    v.field("bf16", &TensorSpec::bf16, "dense bf16 or fp16 FLOP per cycle and SM", Range{1, 1e6});
    v.field("tf32", &TensorSpec::tf32, "dense tf32 FLOP per cycle and SM", Range{1, 1e6});
    v.field("fp8", &TensorSpec::fp8, "dense fp8 FLOP per cycle and SM", Range{0, 1e6});
    v.field("mma_sync_share", &TensorSpec::mma_sync_share, "rate of mma.sync over that of the native instruction", Range{0.01, 1});
    v.field("latency", &TensorSpec::latency, "cycles from the end of a matrix instruction to its usable result", Range{0, 1000});
  }
};

struct SmSpec {
  Sourced<std::int64_t> count;
  std::vector<std::int64_t> gpcs;
  Sourced<std::int64_t> warps, ctas, registers;
  Sourced<core::Bytes> shared_memory, shared_reserved;
  Sourced<double> issue, fma, alu, mufu, convert, shared_path;
  Sourced<double> barrier, tma_issue, tma_fill, tma_latency;
  Sourced<core::Time> tma_descriptor, cluster_sync;
  TensorSpec tensor;

  template <class V>
  static void visit_fields(V& v) {
    v.field("count", &SmSpec::count, "SMs", Range{1, 4096});
    v.field("gpcs", &SmSpec::gpcs, "SMs of each GPC; clusters stay inside one", Range{1, 4096});
    v.field("warps", &SmSpec::warps, "resident warps", Range{1, 1024});
    v.field("ctas", &SmSpec::ctas, "resident CTAs", Range{1, 1024});
    v.field("registers", &SmSpec::registers, "32-bit registers", Range{1024, 1 << 24});
    v.field("shared_memory", &SmSpec::shared_memory, "shared memory of an SM", Range{1024, 1 << 28});
    v.field("shared_reserved", &SmSpec::shared_reserved, "shared memory that the system keeps for each CTA", Range{0, 1 << 20});
    v.field("issue", &SmSpec::issue, "lane operations issued a cycle (32 for each scheduler)", Range{1, 1e5});
    v.field("fma", &SmSpec::fma, "FP32 FMA a cycle", Range{1, 1e5});
    v.field("alu", &SmSpec::alu, "integer, logic, compare operations a cycle", Range{1, 1e5});
    v.field("mufu", &SmSpec::mufu, "exponentials and reciprocals a cycle", Range{1, 1e5});
    v.field("convert", &SmSpec::convert, "packed conversions a cycle", Range{1, 1e5});
    v.field("shared_path", &SmSpec::shared_path, "bytes a cycle: MMA operand reads, loads and stores", Range{1, 1e5});
    v.field("barrier", &SmSpec::barrier, "cycles of an mbarrier or named-barrier hand-off", Range{0, 1e4});
    v.field("tma_issue", &SmSpec::tma_issue, "cycles between two TMA instructions", Range{0, 1e4});
    v.field("tma_fill", &SmSpec::tma_fill, "cycles of TMA for each 128 bytes of a box that lie outside its tensor and are filled with zeros", Range{0, 1e3});
    v.field("tma_latency", &SmSpec::tma_latency, "cycles that TMA adds to a load", Range{0, 1e4});
    v.field("tma_descriptor", &SmSpec::tma_descriptor, "fetch of a tensor map, once a kernel and SM", Range{0, 1e-3});
    v.field("cluster_sync", &SmSpec::cluster_sync, "barrier of a cluster when its CTAs start", Range{0, 1e-3});
    v.field("tensor", &SmSpec::tensor, "tensor cores");
  }
};

struct L2Spec {
  Sourced<core::Bytes> capacity;
  Sourced<std::int64_t> partitions;
  Sourced<core::BytesPerSecond> read_bandwidth, write_bandwidth, link_bandwidth;
  Sourced<core::Time> latency, far_latency;
  Sourced<double> sm_port;
  Sourced<core::Bytes> sm_in_service;

  template <class V>
  static void visit_fields(V& v) {
    v.field("capacity", &L2Spec::capacity, "all partitions together", Range{1 << 16, 1LL << 40});
    v.field("partitions", &L2Spec::partitions, "partitions that keep copies of each other's lines", Range{1, 16});
    v.field("read_bandwidth", &L2Spec::read_bandwidth, "L2 to all SMs", Range{1e9, 1e16});
    v.field("write_bandwidth", &L2Spec::write_bandwidth, "all SMs to L2", Range{1e9, 1e16});
    v.field("link_bandwidth", &L2Spec::link_bandwidth, "between partitions", Range{1e9, 1e16});
    v.field("latency", &L2Spec::latency, "hit in the near partition", Range{0, 1e-3});
    v.field("far_latency", &L2Spec::far_latency, "added by the other partition", Range{0, 1e-3});
    v.field("sm_in_service", &L2Spec::sm_in_service, "bytes of one SM that HBM works on at a time", Range{128, 1 << 26});
    v.field("sm_port", &L2Spec::sm_port, "bytes a cycle into one SM", Range{1, 1e5});
  }
};

struct HbmSpec {
  Sourced<core::Bytes> capacity;
  Sourced<core::BytesPerSecond> bandwidth;
  Sourced<double> read_efficiency, write_efficiency, turnaround;
  Sourced<core::Bytes> run_cost, half_load;
  Sourced<core::Time> latency, latency_tail;

  template <class V>
  static void visit_fields(V& v) {
    v.field("capacity", &HbmSpec::capacity, "device memory", Range{1 << 20, 1LL << 50});
    v.field("bandwidth", &HbmSpec::bandwidth, "pin bandwidth", Range{1e9, 1e16});
    v.field("read_efficiency", &HbmSpec::read_efficiency, "share reached by pure reads (refresh, row changes)", Range{0.05, 1});
    v.field("write_efficiency", &HbmSpec::write_efficiency, "share reached by pure writes", Range{0.05, 1});
    v.field("turnaround", &HbmSpec::turnaround, "bytes lost for each byte written among as many read ones: the bus turns round", Range{0, 4});
    v.field("half_load", &HbmSpec::half_load, "bytes in service that keep half of the channels busy", Range{0, 1 << 26});
    v.field("run_cost", &HbmSpec::run_cost, "bytes that could have moved while the row of one more contiguous run opens", Range{0, 4096});
    v.field("latency", &HbmSpec::latency, "added to an L2 hit by a miss of one line", Range{0, 1e-3});
    v.field("latency_tail", &HbmSpec::latency_tail, "further wait for the slowest of 128 lines and more; grows with the logarithm", Range{0, 1e-3});
  }
};

struct LaunchSpec {
  Sourced<core::Time> graph_gap, code_fetch, memset_node, cta_interval, cta_start, first_fetch, cta_refill, drain, profiled_start;
  Sourced<core::BytesPerSecond> copy_engine;
  Sourced<core::Bytes> copy_kernel_limit;

  template <class V>
  static void visit_fields(V& v) {
    v.field("graph_gap", &LaunchSpec::graph_gap, "between two dependent kernels of a CUDA graph", Range{0, 1e-2});
    v.field("code_fetch", &LaunchSpec::code_fetch, "added when other kernels ran since: cold instructions", Range{0, 1e-3});
    v.field("memset_node", &LaunchSpec::memset_node, "a small memset in a graph, gap included", Range{0, 1e-2});
    v.field("cta_interval", &LaunchSpec::cta_interval, "between CTA launches of the whole GPU", Range{0, 1e-3});
    v.field("cta_start", &LaunchSpec::cta_start, "launch of a CTA to its first load", Range{0, 1e-3});
    v.field("first_fetch", &LaunchSpec::first_fetch, "further wait of the first CTA on an SM: cold instruction and constant caches", Range{0, 1e-3});
    v.field("cta_refill", &LaunchSpec::cta_refill, "exit of a CTA to the launch of its successor", Range{0, 1e-3});
    v.field("drain", &LaunchSpec::drain, "last store to completion of the kernel", Range{0, 1e-3});
    v.field("copy_engine", &LaunchSpec::copy_engine, "bytes that the copy engine reads or writes a second within the device", Range{1e9, 1e14});
    v.field("copy_kernel_limit", &LaunchSpec::copy_kernel_limit, "larger copies within the device go through the copy engine", Range{0, 1e13});
    v.field("profiled_start", &LaunchSpec::profiled_start, "added to a kernel by a profiler that flushes every cache first", Range{0, 1e-3});
  }
};

struct PowerSpec {
  Sourced<core::Watts> cap, idle;
  Sourced<double> tensor_pj, zero_factor, mma_sync_factor, lane_pj, shared_pj, l2_pj, hbm_pj, voltage_floor;

  template <class V>
  static void visit_fields(V& v) {
    v.field("cap", &PowerSpec::cap, "board power limit", Range{1, 1e5});
    v.field("idle", &PowerSpec::idle, "power at full clock without work, leakage included", Range{0, 1e5});
    v.field("tensor_pj", &PowerSpec::tensor_pj, "pJ per bf16 FLOP, random data, at the highest voltage", Range{0, 1e3});
    v.field("zero_factor", &PowerSpec::zero_factor, "energy of a matrix instruction on zeros over one on random data", Range{0, 1});
    v.field("mma_sync_factor", &PowerSpec::mma_sync_factor, "energy of mma.sync over wgmma (operands through registers)", Range{0.1, 10});
    v.field("lane_pj", &PowerSpec::lane_pj, "pJ per lane operation, issue and registers included", Range{0, 1e4});
    v.field("shared_pj", &PowerSpec::shared_pj, "pJ per byte of the shared-memory path", Range{0, 1e4});
    v.field("l2_pj", &PowerSpec::l2_pj, "pJ per byte between L2 and SMs", Range{0, 1e4});
    v.field("hbm_pj", &PowerSpec::hbm_pj, "pJ per byte between HBM and L2", Range{0, 1e4});
    v.field("voltage_floor", &PowerSpec::voltage_floor, "V/Vmax = floor + (1 - floor) f/fmax", Range{0, 1});
  }
};

struct GpuSpec {
  std::string name, vendor_name;
  ClockSpec clock;
  SmSpec sm;
  L2Spec l2;
  HbmSpec hbm;
  LaunchSpec launch;
  PowerSpec power;

  template <class V>
  static void visit_fields(V& v) {
    v.field("name", &GpuSpec::name, "name used on the command line");
    v.field("vendor_name", &GpuSpec::vendor_name, "name as the driver reports it");
    v.field("clock", &GpuSpec::clock, "SM clock");
    v.field("sm", &GpuSpec::sm, "streaming multiprocessors");
    v.field("l2", &GpuSpec::l2, "L2 cache");
    v.field("hbm", &GpuSpec::hbm, "device memory");
    v.field("launch", &GpuSpec::launch, "launching kernels and CTAs");
    v.field("power", &GpuSpec::power, "energy per operation and the cap");
  }
};

Machine resolve(const GpuSpec& spec, core::Hertz clock);

}  // namespace rooftile::hw
