#!/usr/bin/env python3
"""Makes ready what the Kafka tests need beside us: the released brokers (their jars stay in Maven's
own repository), kcat, openssl and the Python package kafka-python.

usage: prepare.py --out DIR --versions VERSION,...

Writes into DIR: VERSION.classpath for each broker version; venv/, with kafka-python; and, when
something cannot be had, `unavailable` with the reason. Does nothing twice. The tests themselves
keep there, as VERSION.jsa, the classes a broker loads, so that the next starts faster.

Exit code 0: ready; 77: skipped; 1: not ready although TOPICSCOPE_REQUIRE_KAFKA=1 demands it."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
KAFKA_PYTHON = "3.0.12"
JAVA = 17  # what Kafka 4 needs
SKIPPED = 77


class Unavailable(Exception):
    pass


def run(command, limit):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=limit, check=False)
        return done.returncode, done.stdout
    except (OSError, subprocess.TimeoutExpired) as failure:
        return -1, str(failure)


def check_programs():
    for program, what in [("java", "Java"), ("mvn", "Maven"), ("kcat", "kcat"),
                          ("openssl", "openssl")]:
        if shutil.which(program) is None:
            raise Unavailable(f"no {what}")
    _, text = run(["java", "-version"], 30)
    found = re.search(r'version "(\d+)', text)
    if not found or int(found[1]) < JAVA:
        raise Unavailable(f"Java {JAVA} or later is needed")


def resolve(version, out):
    listed = out / f"{version}.classpath"
    pom = HERE / "pom.xml"
    if listed.exists() and listed.stat().st_mtime > pom.stat().st_mtime:
        if all(os.path.exists(jar) for jar in listed.read_text().split(os.pathsep)):
            return
    (out / f"{version}.jsa").unlink(missing_ok=True)  # of other jars
    # What was fetched once is found without the network.
    for more in [["--offline"], []]:
        status, text = run(["mvn", *more, "--batch-mode", "--quiet", "--file", str(pom), PLUGIN,
                            f"-Dkafka.version={version}", f"-Dmdep.outputFile={listed}"], 280)
        if status == 0:
            return
    print(text)
    raise Unavailable(f"Maven could not fetch Kafka {version}")


def install_python_client(out):
    python = out / "venv" / "bin" / "python"
    probe = f"from importlib.metadata import version as v; exit(v('kafka-python') != '{KAFKA_PYTHON}')"
    if python.exists() and run([python, "-c", probe], 60)[0] == 0:
        return
    steps = [
        [sys.executable, "-m", "venv", "--clear", out / "venv"],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
         "--retries", "1", "--timeout", "15", f"kafka-python=={KAFKA_PYTHON}"],
    ]
    for step in steps:
        status, text = run(step, 120)
        if status != 0:
            print(text)
            raise Unavailable(f"kafka-python {KAFKA_PYTHON} could not be installed")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--versions", required=True)
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    unavailable = out / "unavailable"
    try:
        check_programs()
        for version in options.versions.split(","):
            resolve(version, out)
        install_python_client(out)
    except Unavailable as reason:
        unavailable.write_text(f"{reason}\n")
        if os.environ.get("TOPICSCOPE_REQUIRE_KAFKA") == "1":
            print(f"FAILED: {reason}, and TOPICSCOPE_REQUIRE_KAFKA=1 demands the Kafka tests")
            return 1
        print(f"SKIPPED: {reason}, so NOTHING was tested against a real Kafka")
        return SKIPPED
    unavailable.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
