#!/usr/bin/env python3
"""Reads an export again, by docs/export.md alone, and compares it byte by byte with what was
published. Shares no code with the program; standard library only.

check_export.py FORMAT EXPORT EXPECTED

FORMAT is ndjson, csv or raw. EXPECTED has one JSON object a line, in the order of the file: topic,
partition, offset, value (hexadecimal digits or null) and, where there are any, key, headers as
[[name, value]...], timestamp, timestampType. Prints what differs and ends with 1, else with 0.
"""

import base64
import csv
import itertools
import json
import os
import sys


def hexed(data):
    return None if data is None else data.hex()


def from_object(value):
    """null, or {"encoding": ..., "data": ...}"""
    if value is None:
        return None
    if value["encoding"] == "utf-8":
        return value["data"].encode("utf-8")
    assert value["encoding"] == "base64", value["encoding"]
    return base64.b64decode(value["data"], validate=True)


def headers_of(array):
    return [[hexed(from_object(h["name"])), hexed(from_object(h["value"]))] for h in array]


def record(topic, partition, offset, value, key=None, headers=(), time=None, time_type=None):
    return {"topic": topic, "partition": partition, "offset": offset, "value": hexed(value),
            "key": hexed(key), "headers": list(headers), "timestamp": time,
            "timestampType": time_type}


def read_ndjson(path):
    first = last = None
    expected_offset = records = without = total = 0
    with open(path, "rb") as file:
        for raw in file:
            assert raw.endswith(b"\n"), "the last line is cut"
            line = last = json.loads(raw.decode("utf-8"))
            kind = line["type"]
            if first is None:
                first = line
                assert line["format"] == "topicscope-records" and line["version"] == 1, line
            elif kind == "partition":
                expected_offset, records, without = line["from"], 0, 0
            elif kind == "partition-end":
                assert line["complete"] is True, line
                assert (line["records"], line["withoutRecord"]) == (records, without), line
                assert records + without == line["to"] - line["from"], line
            elif kind == "export-end":
                assert line["complete"] is True and line["records"] == total, line
            else:
                assert line["offset"] == expected_offset, (line["offset"], expected_offset)
                if kind != "record":
                    without += line["end"] - line["offset"]
                    expected_offset = line["end"]
                    continue
                records += 1
                total += 1
                expected_offset += 1
                value = from_object(line["value"])
                assert line["size"] == len(value or b""), line["size"]
                yield record(line["topic"], line["partition"], line["offset"], value,
                             from_object(line.get("key")), headers_of(line.get("headers", [])),
                             line.get("timestamp"), line.get("timestampType"))
    assert last and last["type"] == "export-end", last


def from_fields(text, encoding):
    if encoding == "null":
        assert text == "", text
        return None
    return base64.b64decode(text, validate=True) if encoding == "base64" else text.encode("utf-8")


def read_csv(path):
    csv.field_size_limit(1 << 30)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            if row["type"] == "record":
                yield record(row["topic"], int(row["partition"]), int(row["offset"]),
                             from_fields(row["value"], row["valueEncoding"]),
                             from_fields(row["key"], row["keyEncoding"]),
                             headers_of(json.loads(row["headers"] or "[]")),
                             int(row["timestamp"]) if row["timestamp"] else None,
                             row["timestampType"] or None)


def read_raw(path):
    for name in sorted(os.listdir(path)):
        topic, partition, offset = name.rsplit("-", 2)
        with open(os.path.join(path, name), "rb") as file:
            yield record(topic, int(partition), int(offset), file.read())


def main():
    form, path, expected_path = sys.argv[1:]
    plain = record(None, None, None, None)
    differing = 0
    found = {"ndjson": read_ndjson, "csv": read_csv, "raw": read_raw}[form](path)
    with open(expected_path, encoding="utf-8") as file:
        expected = ({**plain, **json.loads(line)} for line in file)
        for is_there, should_be in itertools.zip_longest(found, expected):
            if is_there == should_be:
                continue
            differing += 1
            if differing <= 5:
                print(f"differs: {str(is_there)[:500]}\n instead: {str(should_be)[:500]}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
