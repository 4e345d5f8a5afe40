#!/usr/bin/env bash
# Installs what rooftile needs on Debian 12; does nothing when it is all there.
set -euo pipefail
packages=(g++ cmake ninja-build libboost-graph-dev libyaml-cpp-dev libcli11-dev catch2 libfmt-dev nlohmann-json3-dev
          libtbb-dev libsqlitecpp-dev libsqlite3-dev libbenchmark-dev libxxhash-dev libsimgrid-dev)
missing=()
for p in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null)" = "install ok installed" ] || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing: ${missing[*]}" >&2
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
"${sudo[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
