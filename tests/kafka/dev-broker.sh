#!/usr/bin/env bash
# A real Kafka with sample topics to look at by hand: prints its address, ends with Ctrl-C.
#   tests/kafka/dev-broker.sh [VERSION [NODES]]      4.4.0 or 3.9.2; 1 or 3
#   topicscope kafka://ADDRESS
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/dependencies.sh
ensure_packages "${build_packages[@]}" "${test_packages[@]}"
build dev kafka_dev_broker >&2
ctest --preset dev --tests-regex '^kafka_peers$' >&2
exec build/dev/tests/kafka_dev_broker "$@"
