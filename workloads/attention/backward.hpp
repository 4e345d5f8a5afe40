// The kernels of attention's backward pass, in order: sums of dO times O, the main kernel with five matmuls a tile pair
// (S = Q K^T again, dP = dO V^T, dV += P^T dO, dK += dS^T Q, dQ += dS K), and dQ from fp32 to bf16.
//
// `flash2`: mma.sync, one CTA a block of keys, dQ by atomics; PyTorch copies two tensors to another layout first.
// `cudnn`: wgmma with a TMA producer, persistent, dQ by bulk reduce-add; a memset before.
// Modelled: operand reads through shared memory as the warps share them, exposed ldmatrix latency, the exchange of P and
// dS through shared memory, atomics at L2. Not modelled: deterministic variants, grouped heads' sum of dK and dV.
#pragma once

#include <vector>

#include "workloads/attention/shape.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads::attention {

std::vector<Kernel> flash2_backward(const Shape& shape);
std::vector<Kernel> cudnn_backward(const Shape& shape, int sms);

}  // namespace rooftile::workloads::attention
