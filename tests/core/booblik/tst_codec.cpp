#include "core/base/bytewriter.h"
#include "core/booblik/frame.h"
#include "core/booblik/requestcodec.h"
#include "core/booblik/responsecodec.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::booblik;
using namespace Qt::StringLiterals;

// The hex below was exchanged with a running broker of the reference implementation.

class tst_Codec : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void requestsAreTheBytesABrokerUnderstands_data();
    void requestsAreTheBytesABrokerUnderstands();
    void requestsReadBack();
    void metadataAnswer();
    void metadataOffsetsAreNotNegative();
    void produceAnswer();
    void fetchAnswer();
    void errorAnswer();
    void answersAreWrittenAsTheReferenceDoes();
    void damagedAnswersAreRefused_data();
    void damagedAnswersAreRefused();
    void brokenRequestsAreRefused_data();
    void brokenRequestsAreRefused();
    void bytesLeftOverInARequestAreIgnored();
    void framesAboveTheLimitAreNotBuilt();
    void unknownErrorCodesKeepTheirNumber();
};

namespace
{

QByteArray hex(const char *text)
{
    return QByteArray::fromHex(text);
}

const QByteArray kMetadataRequest = hex("00 00 00 0c 00 03 00 01 00 00 00 01 00 00 00 00");
const QByteArray kMetadataAnswer =
    hex("00 00 00 3c 00 00 00 01 00 00 00 00 00 01 00 04 64 65 6d 6f 00 00 00 02"
        "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        "00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
const QByteArray kProduceRequest =
    hex("00 00 00 24 00 01 00 01 00 00 00 02 00 04 64 65 6d 6f 00 00 00 01 01 00 00 00 02"
        "00 00 00 03 61 62 63 00 00 00 02 00 ff");
const QByteArray kProduceAnswer =
    hex("00 00 00 16 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02");
const QByteArray kProduceNoneRequest =
    hex("00 00 00 1c 00 01 00 01 00 00 00 03 00 04 64 65 6d 6f 00 00 00 01 00 00 00 00 01"
        "00 00 00 01 6e");
const QByteArray kFetchRequest =
    hex("00 00 00 26 00 02 00 02 00 00 00 05 00 04 64 65 6d 6f 00 00 00 01"
        "00 00 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 00 00");
const QByteArray kFetchAnswer = hex(
    "00 00 00 30 00 00 00 05 00 00 00 00 00 00 00 00 00 03 00 00 00 1e"
    "00 00 00 03 36 4b 3f b7 61 62 63 00 00 00 02 5c 1c 24 83 00 ff 00 00 00 01 9f c3 7f 14 6e");
const QByteArray kFetchV1Request = hex("00 00 00 1e 00 02 00 01 00 00 00 07 00 04 64 65 6d 6f"
                                       "00 00 00 01 00 00 00 00 00 00 00 03 00 00 04 00");
const QByteArray kEmptyFetchAnswer =
    hex("00 00 00 12 00 00 00 07 00 00 00 00 00 00 00 00 00 03 00 00 00 00");
const QByteArray kOutOfRangeAnswer = hex("00 00 00 06 00 00 00 08 00 02");

/// Body of a frame: behind the length and, for a request, 8 or, for an answer, 6 header bytes.
std::span<const std::byte> bodyOf(const QByteArray &frame, size_t header)
{
    return asBytes(frame).subspan(4 + header);
}

const wire::ProduceRequest kProduce{u"demo"_s, 1, 1, {"abc", QByteArray::fromHex("00ff")}};

} // namespace

void tst_Codec::requestsAreTheBytesABrokerUnderstands_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("version");
    QTest::addColumn<int>("correlationId");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("frame");
    QTest::newRow("METADATA, all")
        << 3 << 1 << 1 << encodeBody(wire::MetadataRequest{}) << kMetadataRequest;
    QTest::newRow("PRODUCE") << 1 << 1 << 2 << encodeBody(kProduce) << kProduceRequest;
    QTest::newRow("PRODUCE, none")
        << 1 << 1 << 3 << encodeBody(wire::ProduceRequest{u"demo"_s, 1, 0, {"n"}})
        << kProduceNoneRequest;
    QTest::newRow("FETCH v2") << 2 << 2 << 5
                              << encodeBody(wire::FetchRequest{u"demo"_s, 1, 0, 1024, 0, 0}, 2)
                              << kFetchRequest;
    QTest::newRow("FETCH v1") << 2 << 1 << 7
                              << encodeBody(wire::FetchRequest{u"demo"_s, 1, 3, 1024, 0, 0}, 1)
                              << kFetchV1Request;
}

void tst_Codec::requestsAreTheBytesABrokerUnderstands()
{
    QFETCH(int, key);
    QFETCH(int, version);
    QFETCH(int, correlationId);
    QFETCH(QByteArray, body);
    const auto frame = encodeRequestFrame(wire::ApiKey(key), qint16(version), correlationId, body);
    QVERIFY(frame);
    QTEST(*frame, "frame");
}

void tst_Codec::requestsReadBack()
{
    const auto header = decodeRequestHeader(asBytes(kProduceRequest).subspan(4));
    QVERIFY(header);
    QCOMPARE(header->apiKey, qint16(1));
    QCOMPARE(header->apiVersion, qint16(1));
    QCOMPARE(header->correlationId, 2);
    QVERIFY(!decodeRequestHeader(asBytes(kProduceRequest).subspan(4, 7)));

    const auto produce = decodeProduceRequest(bodyOf(kProduceRequest, 8));
    QVERIFY(produce);
    QCOMPARE(produce->topicName, u"demo"_s);
    QCOMPARE(produce->partitionId, 1);
    QCOMPARE(produce->ackPolicy, qint8(1));
    QCOMPARE(produce->records, kProduce.records);

    const auto fetch = decodeFetchRequest(bodyOf(kFetchV1Request, 8), 1);
    QVERIFY(fetch);
    QCOMPARE(fetch->fetchOffset, 3);
    QCOMPARE(fetch->maxBytes, 1024);
    QCOMPARE(fetch->maxWaitMillis, 0);

    const auto metadata = decodeMetadataRequest(bodyOf(kMetadataRequest, 8));
    QVERIFY(metadata);
    QVERIFY(metadata->topicNames.isEmpty());
}

void tst_Codec::metadataAnswer()
{
    const auto header = decodeResponseHeader(asBytes(kMetadataAnswer).subspan(4));
    QVERIFY(header);
    QCOMPARE(header->correlationId, 1);
    QCOMPARE(header->errorCode, qint16(0));
    const auto metadata = decodeMetadataResponse(bodyOf(kMetadataAnswer, 6));
    QVERIFY(metadata);
    QCOMPARE(metadata->topics.size(), 1);
    QCOMPARE(metadata->topics.first().topicName, u"demo"_s);
    QCOMPARE(metadata->topics.first().partitions.size(), 2);
    QCOMPARE(metadata->topics.first().partitions.at(1).partitionId, 1);
}

void tst_Codec::metadataOffsetsAreNotNegative()
{
    // Partition 1 of the answer: log start 0, high watermark 0; the last 16 bytes.
    for (const qsizetype at : {8, 16}) {
        QByteArray answer = kMetadataAnswer;
        answer[answer.size() - at] = char(0x80);
        const auto metadata = decodeMetadataResponse(bodyOf(answer, 6));
        QVERIFY(!metadata);
        QCOMPARE(metadata.error().kind, ErrorKind::Protocol);
        QVERIFY(metadata.error().detail.contains(u"-9223372036854775808"_s));
    }
}

void tst_Codec::produceAnswer()
{
    const auto produced = decodeProduceResponse(bodyOf(kProduceAnswer, 6));
    QVERIFY(produced);
    QCOMPARE(produced->baseOffset, 0);
    QCOMPARE(produced->logEndOffset, 2);
}

void tst_Codec::fetchAnswer()
{
    const auto fetched = decodeFetchResponse(bodyOf(kFetchAnswer, 6));
    QVERIFY(fetched);
    QCOMPARE(fetched->highWatermark, 3);
    QCOMPARE(fetched->payloadBytes, 30);
    QCOMPARE(fetched->payloadBegin, 12);

    const auto empty = decodeFetchResponse(bodyOf(kEmptyFetchAnswer, 6));
    QVERIFY(empty);
    QCOMPARE(empty->highWatermark, 3);
    QCOMPARE(empty->payloadBytes, 0);
}

void tst_Codec::errorAnswer()
{
    const auto header = decodeResponseHeader(asBytes(kOutOfRangeAnswer).subspan(4));
    QVERIFY(header);
    QCOMPARE(header->correlationId, 8);
    QCOMPARE(header->errorCode, qint16(2));
    QCOMPARE(wire::errorCodeName(header->errorCode), u"OFFSET_OUT_OF_RANGE"_s);
}

void tst_Codec::answersAreWrittenAsTheReferenceDoes()
{
    const wire::MetadataResponse metadata{{{u"demo"_s, {{0, 0, 0}, {1, 0, 0}}}}};
    QCOMPARE(encodeResponseFrame(1, 0, encodeBody(metadata)), kMetadataAnswer);
    QCOMPARE(encodeResponseFrame(2, 0, encodeBody(wire::ProduceResponse{0, 2})), kProduceAnswer);
    QCOMPARE(encodeResponseFrame(7, 0, encodeFetchBodyHeader(3, 0)), kEmptyFetchAnswer);
    QCOMPARE(encodeResponseFrame(8, 2, {}), kOutOfRangeAnswer);
}

void tst_Codec::damagedAnswersAreRefused_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("body");
    // Counts that cannot be true must not be allocated for: these would be 48 GB each.
    QTest::newRow("METADATA: 2^31-1 topics") << u"metadata"_s << hex("7fffffff 0001 61");
    QTest::newRow("METADATA: -1 topics") << u"metadata"_s << hex("ffffffff");
    QTest::newRow("METADATA: 2^31-1 partitions")
        << u"metadata"_s << hex("00000001 0001 61 7fffffff 00000000");
    QTest::newRow("METADATA: -1 partitions") << u"metadata"_s << hex("00000001 0001 61 ffffffff");
    QTest::newRow("METADATA: name longer than the frame")
        << u"metadata"_s << hex("00000001 ffff 61 00000000");
    QTest::newRow("METADATA: bytes left over") << u"metadata"_s << hex("00000000 00");
    QTest::newRow("METADATA: nothing") << u"metadata"_s << QByteArray();
    QTest::newRow("METADATA: cut") << u"metadata"_s << kMetadataAnswer.sliced(10).chopped(1);
    QTest::newRow("FETCH: short") << u"fetch"_s << hex("0000000000000003 000000");
    QTest::newRow("FETCH: more payload than said")
        << u"fetch"_s << hex("0000000000000003 00000001 0000");
    QTest::newRow("FETCH: less payload than said")
        << u"fetch"_s << hex("0000000000000003 00000003 0000");
    QTest::newRow("FETCH: negative payload") << u"fetch"_s << hex("0000000000000003 ffffffff");
    QTest::newRow("FETCH: negative high watermark")
        << u"fetch"_s << hex("ffffffffffffffff 00000000");
    QTest::newRow("PRODUCE: short") << u"produce"_s << hex("0000000000000000 000000000000");
    QTest::newRow("PRODUCE: long") << u"produce"_s << hex("0000000000000000 0000000000000001 00");
    QTest::newRow("PRODUCE: end before base")
        << u"produce"_s << hex("0000000000000005 0000000000000005");
    QTest::newRow("header: short") << u"header"_s << hex("0000000100");
    QTest::newRow("header: error with a body") << u"header"_s << hex("00000001 0002 00");
}

void tst_Codec::damagedAnswersAreRefused()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, body);
    const auto bytes = asBytes(body);
    std::optional<Error> error;
    const auto note = [&error](const auto &result) {
        if (!result)
            error = result.error();
    };
    if (kind == u"metadata"_s)
        note(decodeMetadataResponse(bytes));
    else if (kind == u"fetch"_s)
        note(decodeFetchResponse(bytes));
    else if (kind == u"produce"_s)
        note(decodeProduceResponse(bytes));
    else
        note(decodeResponseHeader(bytes));
    QVERIFY(error);
    QCOMPARE(error->kind, ErrorKind::Protocol);
    QVERIFY(!error->detail.isEmpty());
}

void tst_Codec::brokenRequestsAreRefused_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<QByteArray>("body");
    const QByteArray a = hex("0001 61");
    QTest::newRow("PRODUCE: partition -1") << 1 << a + hex("ffffffff 01 00000001 00000001 78");
    QTest::newRow("PRODUCE: ack 3") << 1 << a + hex("00000000 03 00000001 00000001 78");
    QTest::newRow("PRODUCE: ack -1") << 1 << a + hex("00000000 ff 00000001 00000001 78");
    QTest::newRow("PRODUCE: no records") << 1 << a + hex("00000000 01 00000000");
    QTest::newRow("PRODUCE: -1 records") << 1 << a + hex("00000000 01 ffffffff 00000001 78");
    QTest::newRow("PRODUCE: 2^31-1 records") << 1 << a + hex("00000000 01 7fffffff 00000001 78");
    QTest::newRow("PRODUCE: two said, one there")
        << 1 << a + hex("00000000 01 00000002 00000001 78");
    QTest::newRow("PRODUCE: empty record") << 1 << a + hex("00000000 01 00000001 00000000");
    QTest::newRow("PRODUCE: record of -1") << 1 << a + hex("00000000 01 00000001 ffffffff");
    QTest::newRow("PRODUCE: record beyond the frame")
        << 1 << a + hex("00000000 01 00000001 00000002 78");
    QTest::newRow("PRODUCE: empty name") << 1 << hex("0000 00000000 01 00000001 00000001 78");
    const QByteArray offset0 = hex("00000000 0000000000000000");
    QTest::newRow("FETCH: offset -1")
        << 2 << a + hex("00000000 ffffffffffffffff 00000001 00000000 00000000");
    QTest::newRow("FETCH: max bytes 0") << 2 << a + offset0 + hex("00000000 00000000 00000000");
    QTest::newRow("FETCH: max bytes -1") << 2 << a + offset0 + hex("ffffffff 00000000 00000000");
    QTest::newRow("FETCH: wait -1") << 2 << a + offset0 + hex("00000001 ffffffff 00000000");
    QTest::newRow("FETCH: min bytes -1") << 2 << a + offset0 + hex("00000001 00000000 ffffffff");
    QTest::newRow("FETCH: min above max") << 2 << a + offset0 + hex("00000001 00000000 00000002");
    QTest::newRow("FETCH: a v1 body") << 2 << a + offset0 + hex("00000001");
    QTest::newRow("METADATA: -1 topics") << 3 << hex("ffffffff");
    QTest::newRow("METADATA: 2^31-1 topics") << 3 << hex("7fffffff");
    QTest::newRow("METADATA: one without a name") << 3 << hex("00000001");
    QTest::newRow("METADATA: name with a blank") << 3 << hex("00000001 0003 612062");
}

void tst_Codec::brokenRequestsAreRefused()
{
    QFETCH(int, key);
    QFETCH(QByteArray, body);
    const auto bytes = asBytes(body);
    bool ok = true;
    if (key == 1)
        ok = decodeProduceRequest(bytes).ok();
    else if (key == 2)
        ok = decodeFetchRequest(bytes, 2).ok();
    else
        ok = decodeMetadataRequest(bytes).ok();
    QVERIFY(!ok);
}

void tst_Codec::bytesLeftOverInARequestAreIgnored()
{
    const QByteArray junk = hex("dead beef");
    const auto body = [&junk](const QByteArray &frame) { return frame.sliced(12) + junk; };
    QVERIFY(decodeProduceRequest(asBytes(body(kProduceRequest))));
    QVERIFY(decodeFetchRequest(asBytes(body(kFetchRequest)), 2));
    QVERIFY(decodeFetchRequest(asBytes(body(kFetchV1Request)), 1));
    QVERIFY(decodeMetadataRequest(asBytes(body(kMetadataRequest))));
}

void tst_Codec::framesAboveTheLimitAreNotBuilt()
{
    // 8 388 608 counts the 8 header bytes.
    QVERIFY(encodeRequestFrame(wire::ApiKey::Produce, 1, 1, QByteArray(8'388'600, 'x')));
    const auto above = encodeRequestFrame(wire::ApiKey::Produce, 1, 1, QByteArray(8'388'601, 'x'));
    QVERIFY(!above);
    QCOMPARE(above.error().kind, ErrorKind::InvalidArgument);
    QVERIFY(above.error().detail.contains(u"8388609"_s));
}

void tst_Codec::unknownErrorCodesKeepTheirNumber()
{
    QCOMPARE(wire::errorCodeName(17), u"UNKNOWN(17)"_s);
    QCOMPARE(wire::errorCodeName(-1), u"UNKNOWN(-1)"_s);
    QCOMPARE(wire::errorCodeName(1), u"UNKNOWN_TOPIC_OR_PARTITION"_s);
    QCOMPARE(wire::errorCodeName(5), u"CORRUPT_REQUEST"_s);
}

QTEST_APPLESS_MAIN(tst_Codec)
#include "tst_codec.moc"
