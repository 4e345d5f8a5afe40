// From an operator's typed keys to an operation: what the catalog does for YAML, and model graphs do in C++.
#pragma once

#include "sim/core/input/fields.hpp"
#include "workloads/catalog.hpp"

namespace rooftile::workloads {

// The same work whatever it is called and how often it runs: equal keys need one prediction only.
template <class Keys>
std::string key_of(Keys keys) {
  keys.name.reset();
  keys.repeat = 1;
  return input::dump_json(input::write(keys), -1);
}

template <class Keys>
NamedOperation from_keys(const Keys& keys) {
  NamedOperation out;
  out.operation = keys.make();
  out.name = keys.name.value_or(out.operation->describe());
  out.implementation = keys.impl.value_or(out.operation->implementations().front());
  out.repeat = keys.repeat;
  Keys named = keys;
  named.op = out.operation->op();
  named.impl = out.implementation;
  out.key = key_of(named);
  return out;
}

}  // namespace rooftile::workloads
