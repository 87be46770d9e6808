#!/usr/bin/env bash
# Builds and runs every test, without a display; ends with ctest's summary.
# Arguments go on to ctest: ./test.sh -R codec
set -euo pipefail
cd "$(dirname "$0")"
. packaging/dependencies.sh

ensure_packages "${build_packages[@]}" "${test_packages[@]}"
build dev
# Written when a real Kafka was wanted and cannot be had.
no_kafka=build/dev/kafka/unavailable
rm -f "$no_kafka"
status=0
ctest --preset dev "$@" || status=$?
[ ! -f "$no_kafka" ] || echo "Kafka tests were SKIPPED: $(cat "$no_kafka")"
exit "$status"
