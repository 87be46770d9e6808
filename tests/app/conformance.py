#!/usr/bin/env python3
"""booblik's 14 client checks: runs "<client> <verb> ..." against a broker and looks at the effect
with an implementation of the protocol of its own.

usage: conformance.py --client 'PROGRAM conformance' [--broker HOST:PORT | --serve 'PROGRAM serve']

--serve starts the broker itself, on a free port with a temporary data directory. A broker given with
--broker must have the topics conformance:3,single:1. Exit code 0: all passed; 1: not; 2: usage."""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time

from booblikwire import Broker, Wire

TOPIC = "conformance"
ALL_BYTES = bytes(range(256))

# Key and its partition of three, by FNV-1a.
KEYS = [
    (b"", 1),
    (b"\x00", 0),
    (b"\x7f", 0),
    (b"\x80", 0),
    (b"\xff", 2),
    (b"user-1", 1),
    (b"user-2", 1),
    ("заказ-7".encode(), 2),
    ("order-🚀".encode(), 2),
    (ALL_BYTES, 2),
    (b"customer/" + b"9" * 200, 0),
]


class Kit:
    def __init__(self, client, wire, address):
        self.client = shlex.split(client)
        self.wire = wire
        self.environment = dict(os.environ, BOOBLIK_BROKER=address)

    def run(self, *arguments, limit=20):
        """The key=value lines of one verb, each key a list."""
        done = subprocess.run(
            self.client + list(arguments),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
        assert done.returncode == 0, f"{arguments[0]}: exit code {done.returncode}: {done.stderr}"
        values = {}
        for line in done.stdout.splitlines():
            key, equals, value = line.partition("=")
            if equals:
                values.setdefault(key.strip(), []).append(value.strip())
        return values

    def arrived(self, partition, offset, records):
        """The records stand at the offset, and nothing behind them."""
        high, found = self.wire.fetch(TOPIC, partition, offset)
        assert found == records, f"found {found!r}"
        assert high == offset + len(records), f"the log ends at {high}"

    def metadata_lists_the_partitions(self):
        ids = sorted(int(line.split()[0]) for line in self.run("metadata", TOPIC)["partition"])
        assert ids == [number for number, _, _ in self.wire.metadata(TOPIC)] == [0, 1, 2], ids

    def every_byte_arrives(self):
        before = self.wire.end(TOPIC, 0)
        answer = self.run("produce", TOPIC, "0", "written", ALL_BYTES.hex())
        assert answer == {"baseOffset": [str(before)], "logEndOffset": [str(before + 1)]}, answer
        self.arrived(0, before, [ALL_BYTES])

    def empty_record_is_refused(self):
        before = self.wire.end(TOPIC, 0)
        answer = self.run("produce", TOPIC, "0", "written", "")
        assert answer == {"error": ["CORRUPT_REQUEST"]}, answer
        assert self.wire.end(TOPIC, 0) == before

    def ten_records_stay_together(self):
        records = [b"record %d" % i for i in range(10)]
        before = self.wire.end(TOPIC, 1)
        answer = self.run("produce", TOPIC, "1", "written", ",".join(r.hex() for r in records))
        assert answer["baseOffset"] == [str(before)], answer
        self.arrived(1, before, records)

    def ack_none_returns_at_once(self):
        before = self.wire.end(TOPIC, 2)
        answer = self.run("produce", TOPIC, "2", "none", b"fire and forget".hex(), limit=5)
        assert answer == {}, answer
        deadline = time.monotonic() + 10
        while self.wire.end(TOPIC, 2) == before and time.monotonic() < deadline:
            time.sleep(0.02)
        self.arrived(2, before, [b"fire and forget"])

    def ack_forced_reports_the_offset(self):
        before = self.wire.end(TOPIC, 0)
        answer = self.run("produce", TOPIC, "0", "forced", b"forced".hex())
        assert answer["baseOffset"] == [str(before)], answer
        self.arrived(0, before, [b"forced"])

    def keys_select_their_partition(self):
        for key, partition in KEYS:
            before = self.wire.end(TOPIC, partition)
            payload = b"for " + key
            answer = self.run("produce-keyed", TOPIC, key.hex(), payload.hex())
            expected = {"partition": [str(partition)], "baseOffset": [str(before)]}
            assert answer == expected, f"key {key.hex()}: {answer}"
            self.arrived(partition, before, [payload])

    def unknown_topic_is_named(self):
        answer = self.run("produce", "no-such-topic", "0", "written", "61")
        assert answer == {"error": ["UNKNOWN_TOPIC_OR_PARTITION"]}, answer

    def unknown_partition_is_named(self):
        answer = self.run("produce", TOPIC, "8", "written", "61")
        assert answer == {"error": ["UNKNOWN_TOPIC_OR_PARTITION"]}, answer

    def records_come_back(self):
        records = [ALL_BYTES, b"\x00", "текст".encode()]
        first = self.wire.produce(TOPIC, 0, records)
        answer = self.run("fetch", TOPIC, "0", str(first), str(1 << 20))
        assert answer["record"] == [r.hex() for r in records], answer
        assert answer["highWatermark"] == [str(first + 3)], answer

    def caught_up_is_no_error(self):
        end = self.wire.end(TOPIC, 0)
        answer = self.run("fetch", TOPIC, "0", str(end), "1024")
        assert answer == {"highWatermark": [str(end)]}, answer

    def cut_record_is_left_out(self):
        records = [bytes([i]) * 100 for i in (1, 2, 3)]
        first = self.wire.produce(TOPIC, 0, records)
        got = self.run("fetch", TOPIC, "0", str(first), "150").get("record", [])
        assert got and got == [r.hex() for r in records[: len(got)]], got

    def too_large_record_is_named(self):
        first = self.wire.produce(TOPIC, 0, [b"x" * 500])
        answer = self.run("fetch", TOPIC, "0", str(first), "100")
        assert answer.get("recordExceedsMaxBytes") == ["500"] and "record" not in answer, answer

    def beyond_the_end_is_refused(self):
        answer = self.run("fetch", TOPIC, "0", str(self.wire.end(TOPIC, 0) + 1000), "1024")
        assert answer == {"error": ["OFFSET_OUT_OF_RANGE"]}, answer

    CHECKS = [
        metadata_lists_the_partitions,
        every_byte_arrives,
        empty_record_is_refused,
        ten_records_stay_together,
        ack_none_returns_at_once,
        ack_forced_reports_the_offset,
        keys_select_their_partition,
        unknown_topic_is_named,
        unknown_partition_is_named,
        records_come_back,
        caught_up_is_no_error,
        cut_record_is_left_out,
        too_large_record_is_named,
        beyond_the_end_is_refused,
    ]

    def check_all(self):
        roles = self.run("capabilities").get("roles")
        if roles != ["producer,consumer"]:
            print(f"capabilities: roles {roles}")
            return 1
        passed = 0
        for check in self.CHECKS:
            try:
                check(self)
                passed += 1
                print(f"ok    {check.__name__}")
            except Exception as failure:  # a check that dies has failed; the others go on
                print(f"FAIL  {check.__name__}: {type(failure).__name__} {failure}")
        print(f"{passed} of {len(self.CHECKS)}")
        return 0 if passed == len(self.CHECKS) else 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--client", required=True)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--broker")
    where.add_argument("--serve")
    options = parser.parse_args()
    if options.broker:
        host, _, port = options.broker.rpartition(":")
        return Kit(options.client, Wire(host, int(port)), options.broker).check_all()
    with tempfile.TemporaryDirectory() as data:
        more = f"--data {data} --topics conformance:3,single:1 --bind 127.0.0.1 --port 0"
        with Broker(shlex.split(options.serve) + more.split()) as broker:
            wire = Wire(broker.host, broker.port)
            return Kit(options.client, wire, broker.address).check_all()


if __name__ == "__main__":
    sys.exit(main())
