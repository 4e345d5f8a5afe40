#!/usr/bin/env bash
# Installs, builds, and predicts one Llama-3.1-8B attention layer on an H200, then checks the predictions
# against the committed measurements.
set -euo pipefail
cd "$(dirname "$0")"
scripts/install.sh
scripts/build.sh release --target rooftile
echo
build/rooftile run workloads/scenarios/llama-3.1-8b-attention-layer.yaml
echo
echo "Predicted against measured, by family (blind: only the operation is an input):"
build/rooftile validate validation/measured/h200 --tolerances validation/tolerances.yaml
