#!/usr/bin/env bash
# Builds and runs every test, without a display; ends with ctest's summary.
# Arguments go on to ctest: ./test.sh -R codec
set -euo pipefail
cd "$(dirname "$0")"
. packaging/dependencies.sh

ensure_packages "${build_packages[@]}" "${test_packages[@]}"
build dev
ctest --preset dev "$@"
