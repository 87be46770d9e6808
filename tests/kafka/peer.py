#!/usr/bin/env python3
"""The Python client kafka-python as a program: what it publishes and reads is independent of us and
of librdkafka. Run by the interpreter that prepare.py makes.

usage: peer.py produce -b HOST:PORT,... TOPIC [-X name=value]...
       peer.py consume -b HOST:PORT,... TOPIC PARTITION [-X name=value]...
       peer.py partition COUNT
       peer.py heartbeat HOST:PORT GROUP TOPIC

produce: one record a line of stdin, a JSON object with, each optional:
    key, value      bytes in base64, or null
    headers         [[name, bytes in base64], ...]; kafka-python reads null ones, but sends none
    timestamp       ms since 1970; now when it is missing
    partition       by the key when it is missing
  Prints {"partition": ..., "offset": ...} a record, in their order.
consume: prints the records that are there, one JSON object a line, as above and with "offset".
partition: which of COUNT partitions the default partitioner takes for each key, one in base64 a
  line of stdin.
heartbeat: makes a member of GROUP by the newer group protocol (KIP-848), which neither kafka-python
  nor older librdkafkas speak: one request, after which the broker keeps the member for 45 s.
-X: what KafkaProducer or KafkaConsumer takes; the value is JSON, or else text."""

import argparse
import base64
import json
import socket
import struct
import sys


def packed(field):
    return None if field is None else base64.b64encode(field).decode()


def unpacked(text):
    return None if text is None else base64.b64decode(text, validate=True)


def settings(options):
    result = {"bootstrap_servers": options.bootstrap.split(",")}
    for setting in options.settings:
        name, _, value = setting.partition("=")
        try:
            result[name] = json.loads(value)
        except json.JSONDecodeError:
            result[name] = value
    return result


def produce(options):
    from kafka import KafkaProducer

    producer = KafkaProducer(**settings(options))
    sent = []
    for line in sys.stdin:
        record = json.loads(line)
        sent.append(producer.send(
            options.topic,
            key=unpacked(record.get("key")),
            value=unpacked(record.get("value")),
            headers=[(name, unpacked(value)) for name, value in record.get("headers", [])],
            timestamp_ms=record.get("timestamp"),
            partition=record.get("partition")))
    producer.flush(timeout=60)
    for future in sent:
        done = future.get(timeout=60)
        print(json.dumps({"partition": done.partition, "offset": done.offset}))
    producer.close()


def consume(options):
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(enable_auto_commit=False, **settings(options))
    place = TopicPartition(options.topic, options.partition)
    consumer.assign([place])
    consumer.seek_to_beginning(place)
    end = consumer.end_offsets([place])[place]
    while consumer.position(place) < end:
        for record in consumer.poll(timeout_ms=1000).get(place, []):
            print(json.dumps({
                "partition": record.partition,
                "offset": record.offset,
                "key": packed(record.key),
                "value": packed(record.value),
                "headers": [[name, packed(value)] for name, value in record.headers],
                "timestamp": record.timestamp,
            }))
    consumer.close()


def partition(options):
    from kafka.partitioner import DefaultPartitioner

    class Cluster:
        """A topic of that many partitions."""

        def topics(self):
            return {"topic"}

        def partitions_for_topic(self, _):
            return set(range(options.count))

        available_partitions_for_topic = partitions_for_topic

    partitioner = DefaultPartitioner()
    for line in sys.stdin:
        key = unpacked(line.strip())
        print(partitioner.partition("topic", key, key, None, None, Cluster()))


def heartbeat(options):
    def compact(text):
        return bytes([len(text) + 1]) + text.encode()

    # ConsumerGroupHeartbeat v1 with header v2. Source: Kafka protocol guide.
    null = b"\0"
    body = b"".join([
        struct.pack(">hhih", 68, 1, 1, -1), b"\0",            # key, version, correlation, client, tags
        compact(options.group), compact("member-1"), struct.pack(">i", 0),  # epoch 0: joins
        null, null, struct.pack(">i", 300_000),               # instance, rack, rebalance timeout
        bytes([2]), compact(options.topic), null, null,       # topics, pattern, assignor
        bytes([1]), b"\0",                                    # owns no partitions; tags
    ])
    host, port = options.broker.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=30) as broker:
        broker.sendall(struct.pack(">i", len(body)) + body)
        answer = broker.makefile("rb")
        size, = struct.unpack(">i", answer.read(4))
        _, _, _, code = struct.unpack(">ibih", answer.read(size)[:11])
    if code != 0:
        sys.exit(f"ConsumerGroupHeartbeat: error {code}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for run in (produce, consume):
        verb = verbs.add_parser(run.__name__)
        verb.add_argument("-b", dest="bootstrap", required=True)
        verb.add_argument("-X", dest="settings", action="append", default=[])
        verb.add_argument("topic")
        verb.set_defaults(run=run)
    verb.add_argument("partition", type=int)
    verb = verbs.add_parser(partition.__name__)
    verb.add_argument("count", type=int)
    verb.set_defaults(run=partition)
    verb = verbs.add_parser(heartbeat.__name__)
    for name in ("broker", "group", "topic"):
        verb.add_argument(name)
    verb.set_defaults(run=heartbeat)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
