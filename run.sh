#!/usr/bin/env bash
# Builds Topicscope where needed and starts it on its embedded broker with sample data.
# Arguments go on to the program: ./run.sh --help, ./run.sh broker.example:9092
set -euo pipefail
cd "$(dirname "$0")"
. packaging/dependencies.sh

ensure_packages "${build_packages[@]}"
build release topicscope topicscope-cli >&2
exec build/release/bin/topicscope --sample "$@"
