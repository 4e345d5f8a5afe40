// FLOPs and bytes as formulas that a reader can redo: a sum of terms, each a product of named factors.
// Only a way to show where a number comes from; `Operation::flops()` and `compulsory_bytes()` stay the numbers,
// and a test checks that both agree for every operator.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rooftile::workloads {

struct Factor {
  std::string symbol;  // "q_heads", or empty for a bare number
  double value = 0;
};

struct Term {
  std::string what;  // "Q K^T", "read x"
  std::vector<Factor> factors;
  double value() const {
    double product = 1;
    for (const Factor& f : factors) product *= f.value;
    return product;
  }
};

struct Derivation {
  std::vector<Term> flops, bytes;
  std::vector<std::string> notes;  // how a factor that is no key came about
};

inline double sum(const std::vector<Term>& terms) {
  double total = 0;
  for (const Term& t : terms) total += t.value();
  return total;
}

}  // namespace rooftile::workloads
