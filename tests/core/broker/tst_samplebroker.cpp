#include "core/broker/samplebroker.h"
#include "tests/support/rawclient.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QtEndian>

using namespace topicscope;
using namespace topicscope::broker;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

class tst_SampleBroker : public QObject
{
    Q_OBJECT
private slots:
    void theSameSeedGivesTheSameRecords();
    void recordsAreWhatTheirTopicSays();
    void oneRecordIsDamagedAndOneIsLarge();
    void onePartitionKeepsGrowing();
    void nothingIsLeftBehind();
};

void tst_SampleBroker::theSameSeedGivesTheSameRecords()
{
    const QDateTime until(QDate(2024, 2, 29), QTime(12, 0), Qt::UTC);
    const SampleData data = makeSampleData(until);
    QVERIFY(data.records == makeSampleData(until).records);
    QVERIFY(data.records != makeSampleData(until, 7).records);
    qsizetype count = 0;
    for (const auto &[partition, records] : data.records)
        count += records.size();
    QVERIFY(count > 3000 && count < 10'000);
}

void tst_SampleBroker::recordsAreWhatTheirTopicSays()
{
    const QDateTime until(QDate(2024, 2, 29), QTime(12, 0), Qt::UTC);
    const SampleData data = makeSampleData(until);
    bool beyondLatin = false;
    bool order42 = false;
    for (const auto &[partition, records] : data.records) {
        for (const QByteArray &record : records) {
            QVERIFY(!record.isEmpty());
            if (partition.topic != u"orders"_s && partition.topic != u"clicks"_s)
                continue;
            const QJsonObject object = QJsonDocument::fromJson(record).object();
            const QDateTime published =
                QDateTime::fromString(object[u"published"_s].toString(), Qt::ISODateWithMs);
            QVERIFY(published.isValid() && published <= until);
            beyondLatin = beyondLatin || object[u"customer"_s].toString().contains(u'山');
            // FNV-1a of "order-42" is 0x572446f4, which is 2 modulo 3.
            order42 = order42 || (object[u"key"_s].toString() == u"order-42"_s &&
                                  partition.partition == PartitionId{2});
        }
    }
    QVERIFY(beyondLatin);
    QVERIFY(order42);
    bool trace = false;
    bool control = false;
    for (const QByteArray &line : data.records.at({u"logs"_s, PartitionId{0}})) {
        trace = trace || line.count('\n') >= 30;
        control = control || line.contains('\x1b');
    }
    QVERIFY(trace);
    QVERIFY(control);
}

void tst_SampleBroker::oneRecordIsDamagedAndOneIsLarge()
{
    SampleBroker sample({.port = 0});
    QSignalSpy listening(&sample.broker(), &EmbeddedBroker::listening);
    sample.start();
    QVERIFY(listening.wait());
    const SamplePlaces places = sample.places();
    const QByteArray topic = places.partition.topic.toUtf8();
    RawClient client(sample.broker().port());

    const QByteArray large = client.exchange(
        fetchFrame(1, topic, places.partition.partition.value, places.large.value, 8 << 20));
    QVERIFY(qFromBigEndian<qint32>(large.constData() + 22) > 3 << 20);

    // Behind the broker's back: the file's sum is the good record's, its body is not.
    const QByteArray answer = client.exchange(
        fetchFrame(2, topic, places.partition.partition.value, places.damaged.value, 4096));
    const qint32 size = qFromBigEndian<qint32>(answer.constData() + 22);
    const QByteArray body = answer.mid(30, size);
    QVERIFY(!QString::fromUtf8(body).isEmpty());
    quint32 crc = 0xFFFFFFFF; // bit by bit, as the polynomial is defined
    for (const char byte : body) {
        crc ^= quint8(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78 : 0);
    }
    QVERIFY(~crc != qFromBigEndian<quint32>(answer.constData() + 26));
}

void tst_SampleBroker::onePartitionKeepsGrowing()
{
    SampleBroker sample({.port = 0});
    QSignalSpy listening(&sample.broker(), &EmbeddedBroker::listening);
    sample.start();
    QVERIFY(listening.wait());
    RawClient client(sample.broker().port());
    const auto end = [&] {
        const QByteArray answer = client.exchange(metadataFrame(1, {"clicks"}));
        return qFromBigEndian<qint64>(answer.constData() + answer.size() - 8);
    };
    const qint64 before = end();
    QTRY_VERIFY(end() >= before + 2);
}

void tst_SampleBroker::nothingIsLeftBehind()
{
    QString directory;
    {
        SampleBroker sample({.port = 0});
        QSignalSpy listening(&sample.broker(), &EmbeddedBroker::listening);
        sample.start();
        QVERIFY(listening.wait());
        directory = sample.broker().config().dataDirectory;
        QVERIFY(QFile::exists(directory));
    }
    QVERIFY(!QFile::exists(directory));
}

QTEST_GUILESS_MAIN(tst_SampleBroker)
#include "tst_samplebroker.moc"
