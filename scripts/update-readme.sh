#!/usr/bin/env bash
# Regenerates what README.md shows: the example output, the accuracy table and docs/predicted-measured.svg.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
records=validation/measured/h200
build/rooftile run workloads/scenarios/llama-3.1-8b-attention-layer.yaml > "$work/run"
build/rooftile validate $records --baseline --format markdown > "$work/accuracy"
build/rooftile validate $records --known-schedule --format json > "$work/known.json"
build/rooftile validate --counters $records/extra/counters.jsonl --known-schedule | tail -1 > "$work/counters"
build/rooftile validate $records --format json > "$work/records.json"
python3 scripts/readme_blocks.py "$work" README.md docs/predicted-measured.svg
