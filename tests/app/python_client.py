#!/usr/bin/env python3
"""An independent client, the Python package booblik, against our broker and our command line: each
reads what the other publishes.

usage: python_client.py --cli PROGRAM --venv DIR

Installs the package, pinned, into a virtual environment in DIR, once. Exit code 0: all passed;
1: not; 77: skipped, because the package could not be installed (no network?)."""

import argparse
import base64
import importlib.metadata
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading

VERSION = "0.1.1"
SKIPPED = 77


def client_python(venv):
    """The interpreter that has the package; None when it cannot be had."""
    python = venv / "bin" / "python"
    probe = f"from importlib.metadata import version as v; exit(v('booblik') != '{VERSION}')"
    if python.exists() and subprocess.run([python, "-c", probe], check=False).returncode == 0:
        return python
    steps = [
        [sys.executable, "-m", "venv", "--clear", venv],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
         "--retries", "1", "--timeout", "15", f"booblik=={VERSION}"],
    ]
    for step in steps:
        if subprocess.run(step, stdin=subprocess.DEVNULL, check=False).returncode != 0:
            return None
    return python


class Tests:
    def __init__(self, cli, broker, data):
        import booblik

        self.booblik = booblik
        self.program = cli
        self.broker = broker
        self.data = data
        self.connection = booblik.Connection.connect(broker.address)

    def cli(self, verb, *arguments, given=b"", expected=0):
        where = [] if verb == "hash" else ["--broker", self.broker.address]
        done = subprocess.run([self.program, verb, *where, *arguments], input=given,
                              capture_output=True, timeout=30, check=False)
        assert done.returncode == expected, f"{verb}: {done.returncode} {done.stderr.decode()}"
        return done.stdout

    def rows(self, *arguments, **more):
        return [json.loads(line) for line in self.cli(*arguments, "--json", **more).splitlines()]

    def values(self, *arguments):
        decode = {"utf-8": str.encode, "base64": base64.b64decode}
        return [decode[row["value"]["encoding"]](row["value"]["data"])
                for row in self.rows("fetch", *arguments)]

    RECORDS = [bytes(range(256)), b"\x00", b"\x00\x80\xff", "запись 🚀".encode(), b"x" * 3_000_000]

    def it_reads_what_we_publish(self):
        for i, record in enumerate(self.RECORDS):
            ack = ["none", "written", "forced"][i % 3]
            self.cli("publish", "ours", "--ack", ack, "--value-file", "-", given=record)
        self.cli("publish", "ours", "--value", "last")
        consumer = self.connection.consumer("ours", 0, max_bytes=4_000_000, max_wait_millis=0)
        found = []
        while records := consumer.poll():
            found += records
        assert found == self.RECORDS + [b"last"], [len(record) for record in found]
        assert (consumer.position, consumer.lag) == (6, 0)

    def we_read_what_it_publishes(self):
        result = self.connection.produce("theirs", 0, self.RECORDS, self.booblik.AckPolicy.FORCED)
        assert (result.base_offset, result.log_end_offset) == (0, len(self.RECORDS)), result
        assert self.values("theirs", "--max-bytes", "4000000") == self.RECORDS
        assert self.cli("fetch", "theirs", "--raw", "--max-bytes", "4000000") == b"".join(self.RECORDS)

    def we_read_what_its_accumulator_sends(self):
        records = [b"record %d" % i for i in range(250)]
        with self.booblik.Connection.connect(self.broker.address) as connection:
            producer = self.booblik.Producer(connection)
            futures = [producer.send("batches", 0, record) for record in records]
            producer.flush()
            assert [future.result(timeout=20) for future in futures] == list(range(250))
            producer.close()
        assert self.values("batches") == records

    def keys_select_the_same_partitions(self):
        chance = random.Random(42)
        keys = [b"", b"\x00", b"\x7f", b"\x80", b"\xff", b"user-1", bytes(range(256))]
        keys += [chance.randbytes(chance.randint(1, 40)) for _ in range(13)]
        topic = self.connection.topic("keys")
        assert topic.partitions == list(range(7))
        for key in keys:
            for count in (1, 3, 7, 64):
                rows = self.rows("hash", "--key-hex", key.hex(), "--partitions", str(count))
                ours = next(row for row in rows if row["partitioner"] == "booblik")
                assert ours["partition"] == self.booblik.partition_for(key, count), key.hex()
                assert ours["hash"] == self.booblik.fnv1a32(key), key.hex()
            published = self.rows("publish", "keys", "--key-hex", key.hex(), "--value", "v")[0]
            assert published["partition"] == topic.partition_for(key), key.hex()

    def both_detect_a_damaged_record(self):
        self.connection.produce("damage", 0, [b"before", b"damaged", b"behind"])
        (segment,) = (self.data / "damage-0").glob("*.log")
        with segment.open("r+b") as file:
            file.seek(8 + len("before") + 8)
            file.write(b"D")
        rows = self.rows("fetch", "damage", expected=4)
        assert [row["crc32c"]["ok"] for row in rows] == [True, False, True], rows
        try:
            self.connection.fetch("damage", 0, 0)
            assert False, "it did not notice"
        except self.booblik.CorruptRecordError as error:
            sums = rows[1]["crc32c"]
            assert (error.offset, f"{error.stored:08x}", f"{error.computed:08x}") == (
                rows[1]["offset"], sums["stored"], sums["computed"]), rows[1]

    def both_name_a_too_large_record(self):
        self.connection.produce("large", 0, [b"x" * 2_000_000])
        (row,) = self.rows("fetch", "large", expected=4)
        assert (row["type"], row["size"], row["maxBytes"]) == ("too-large", 2_000_000, 1 << 20), row
        try:
            self.connection.consumer("large", 0, max_wait_millis=0).poll()
            assert False, "it read a cut record"
        except self.booblik.RecordExceedsMaxBytesError as error:
            assert error.record_bytes == row["size"], error

    def refusals_have_the_same_names(self):
        code = self.booblik.Code
        wrong = [
            (code.UNKNOWN_TOPIC_OR_PARTITION, lambda: self.connection.metadata("typo")),
            (code.UNKNOWN_TOPIC_OR_PARTITION, lambda: self.connection.produce("keys", 7, [b"x"])),
            (code.CORRUPT_REQUEST, lambda: self.connection.produce("keys", 0, [b""])),
            (code.CORRUPT_REQUEST, lambda: self.connection.fetch("keys", 0, 0, 10, 0, 11)),
            (code.OFFSET_OUT_OF_RANGE, lambda: self.connection.fetch("keys", 0, 10**6)),
        ]
        for expected, ask in wrong:
            try:
                ask()
                assert False, f"no {expected.name}"
            except self.booblik.BrokerError as error:
                assert error.code == expected, error
        assert "keys" in self.connection.metadata()  # and the connection is still usable

    def a_held_fetch_is_woken_by_our_publish(self):
        answers = []

        def hold():
            with self.booblik.Connection.connect(self.broker.address) as connection:
                answers.append(connection.fetch("held", 0, 0, max_wait_millis=20_000, min_bytes=1))

        reader = threading.Thread(target=hold)
        reader.start()
        self.cli("publish", "held", "--value", "wake up")
        reader.join(timeout=10)  # far below the hold
        assert answers and answers[0].records == [b"wake up"], answers

    ALL = [
        it_reads_what_we_publish,
        we_read_what_it_publishes,
        we_read_what_its_accumulator_sends,
        keys_select_the_same_partitions,
        both_detect_a_damaged_record,
        both_name_a_too_large_record,
        refusals_have_the_same_names,
        a_held_fetch_is_woken_by_our_publish,
    ]

    def run_all(self):
        failed = 0
        for test in self.ALL:
            try:
                test(self)
                print(f"ok    {test.__name__}")
            except Exception as failure:  # one that dies has failed; the others go on
                failed += 1
                print(f"FAIL  {test.__name__}: {type(failure).__name__} {failure}")
        print(f"booblik {importlib.metadata.version('booblik')}: {len(self.ALL) - failed} of "
              f"{len(self.ALL)}")
        return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--venv", type=pathlib.Path)
    options = parser.parse_args()
    if options.venv:
        python = client_python(options.venv)
        if python is None:
            print(f"SKIPPED: booblik {VERSION} could not be installed, so NOTHING was tested "
                  "against an independent client")
            return SKIPPED
        return subprocess.run([python, __file__, "--cli", options.cli], check=False).returncode

    from booblikwire import Broker

    topics = "ours:1,theirs:1,batches:1,keys:7,damage:1,large:1,held:1"
    with tempfile.TemporaryDirectory() as data:
        serve = ["serve", "--data", data, "--topics", topics, "--bind", "127.0.0.1", "--port", "0"]
        with Broker([options.cli, *serve]) as broker:
            return Tests(options.cli, broker, pathlib.Path(data)).run_all()


if __name__ == "__main__":
    sys.exit(main())
