#!/usr/bin/env bash
# Rewrites the golden reports; read the difference before committing it.
set -euo pipefail
cd "$(dirname "$0")/.."
ROOFTILE_UPDATE_GOLDEN=1 build/tests/rooftile_tests "[golden]" >/dev/null || true
git diff --stat tests/golden
