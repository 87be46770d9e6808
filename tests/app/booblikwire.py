"""booblik's wire protocol in plain Python, for tests: written from the protocol's description and
sharing nothing with the program under test, its checksum included. Standard library only."""

import signal
import socket
import struct
import subprocess
import sys
import threading

ERRORS = {
    1: "UNKNOWN_TOPIC_OR_PARTITION",
    2: "OFFSET_OUT_OF_RANGE",
    3: "RECORD_TOO_LARGE",
    4: "UNSUPPORTED_VERSION",
    5: "CORRUPT_REQUEST",
}


def crc32c(data):
    """Bit by bit: slow, and short enough to be checked by eye."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


class Refused(Exception):
    """The broker's error code."""

    def __init__(self, code):
        super().__init__(ERRORS.get(code, str(code)))
        self.code = code


class Wire:
    """One connection, one request at a time."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=20)
        self.last_id = 1000

    def close(self):
        self.socket.close()

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise ConnectionError(f"closed after {len(data)} of {count} bytes")
            data += piece
        return data

    def ask(self, key, version, body):
        self.last_id += 1
        frame = struct.pack(">hhi", key, version, self.last_id) + body
        self.socket.sendall(struct.pack(">i", len(frame)) + frame)
        (length,) = struct.unpack(">i", self._exactly(4))
        answer = self._exactly(length)
        correlation_id, code = struct.unpack(">ih", answer[:6])
        if correlation_id != self.last_id:
            raise ValueError(f"answer {correlation_id} to request {self.last_id}")
        if code != 0:
            raise Refused(code)
        return answer[6:]

    @staticmethod
    def _name(topic):
        raw = topic.encode()
        return struct.pack(">H", len(raw)) + raw

    def metadata(self, topic):
        """[(partition, log start offset, high watermark)]"""
        body = self.ask(3, 1, struct.pack(">i", 1) + self._name(topic))
        at = 4
        (length,) = struct.unpack_from(">H", body, at)
        at += 2 + length
        (count,) = struct.unpack_from(">i", body, at)
        at += 4
        return [struct.unpack_from(">iqq", body, at + 20 * i) for i in range(count)]

    def end(self, topic, partition):
        return next(high for number, _, high in self.metadata(topic) if number == partition)

    def produce(self, topic, partition, records):
        """The base offset; ack policy WRITTEN."""
        body = self._name(topic) + struct.pack(">ibi", partition, 1, len(records))
        for record in records:
            body += struct.pack(">i", len(record)) + record
        return struct.unpack(">qq", self.ask(1, 1, body))[0]

    def fetch(self, topic, partition, offset, max_bytes=1 << 20):
        """(high watermark, whole records); every checksum is verified."""
        body = self._name(topic) + struct.pack(">iqiii", partition, offset, max_bytes, 0, 0)
        answer = self.ask(2, 2, body)
        high, size = struct.unpack_from(">qi", answer)
        payload = answer[12:]
        if size != len(payload):
            raise ValueError(f"{size} bytes announced, {len(payload)} came")
        records = []
        while len(payload) >= 8:
            length, crc = struct.unpack_from(">iI", payload)
            if length <= 0:
                raise ValueError(f"impossible record size {length}")
            if len(payload) < 8 + length:
                break
            record = payload[8 : 8 + length]
            if crc32c(record) != crc:
                raise ValueError(f"bad checksum at offset {offset + len(records)}")
            records.append(record)
            payload = payload[8 + length :]
        return high, records


class Broker:
    """A broker program running as long as the with block; `arguments` end in a free choice of port.
    Its address is read from the line that says where it listens."""

    def __init__(self, arguments):
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        self.host, self.port = None, None
        watchdog = threading.Timer(20, self.process.kill)
        watchdog.start()
        for line in self.process.stdout:
            if "listening on" in line:
                self.host, _, port = line.split()[-1].lstrip("/").rpartition(":")
                self.port = int(port)
                break
        watchdog.cancel()
        if self.port is None:
            sys.exit("the broker did not start: " + " ".join(arguments))
        # Whatever it prints later must not block it.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        code = self.process.wait(timeout=20)
        if code not in (0, 128 + signal.SIGTERM, -signal.SIGTERM):
            raise RuntimeError(f"the broker ended with {code}")

    @property
    def address(self):
        return f"{self.host}:{self.port}"
