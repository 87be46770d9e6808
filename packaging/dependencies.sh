# Sourced by run.sh, test.sh and .ci/run: makes sure the Debian/Ubuntu packages named are there, and
# elsewhere says what is missing and how to get it.

# What building and running needs. Each is explained in CONTRIBUTING.md.
build_packages=(
  g++ cmake ninja-build ccache
  qt6-base-dev qt6-svg-dev
  librdkafka-dev pkg-config
  qtkeychain-qt6-dev
  libprotobuf-dev libprotoc-dev
  fonts-dejavu-core # a font with every sign we draw, for machines that have none
)
test_packages=(
  python3 python3-venv
  default-jre-headless maven openssl kcat # a real Kafka; see tests/kafka/prepare.py
  libsasl2-modules-gssapi-mit # a login by Kerberos
)
gate_packages=(clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev)

# ensure_packages NAME… : installs what dpkg does not have.
ensure_packages() {
  local missing=() package state
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    check_tools_by_hand
    return
  fi
  for package in "$@"; do
    # Not piped into grep -q: that may end before dpkg-query does, which then counts as missing.
    state=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null) || state=
    [[ " $state" == *" installed "* ]] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    sudo=(sudo)
  fi
  echo "Installing: ${missing[*]}" >&2
  "${sudo[@]}" apt-get update -qq >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >&2 || { echo "apt-get could not install: ${missing[*]}" >&2; exit 1; }
}

# On other systems nothing is installed for the user; the missing parts are named.
check_tools_by_hand() {
  local missing=()
  command -v cmake >/dev/null || missing+=("cmake >= 3.22")
  command -v ninja >/dev/null || missing+=("ninja")
  command -v c++ >/dev/null || missing+=("a C++20 compiler (gcc >= 12 or clang >= 14)")
  [ ${#missing[@]} -eq 0 ] && return 0
  cat >&2 <<MSG
Missing: ${missing[*]}
Also needed: Qt >= 6.4 with the modules Core, Network, Widgets and Svg; librdkafka >= 2.0.2 and
pkg-config (or cmake -D WITH_KAFKA=OFF); QtKeychain for Qt 6 (or cmake -D WITH_KEYCHAIN=OFF);
libprotobuf >= 3.21 (or cmake -D WITH_PROTOBUF=OFF).
  Fedora:   dnf install gcc-c++ cmake ninja-build qt6-qtbase-devel qt6-qtsvg-devel librdkafka-devel pkgconf qtkeychain-qt6-devel protobuf-devel
  Arch:     pacman -S gcc cmake ninja qt6-base qt6-svg librdkafka pkgconf qtkeychain-qt6 protobuf
  macOS:    brew install cmake ninja qt librdkafka pkg-config qtkeychain protobuf
  Windows:  install Qt 6 with its online installer, then use CMakePresets.json
MSG
  exit 1
}

# build PRESET [TARGET…] : configures on the first run, then builds.
build() {
  local preset=$1 log
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    log=$(mktemp)
    cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
    rm -f "$log"
  fi
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
