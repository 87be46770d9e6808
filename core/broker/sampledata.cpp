#include "core/broker/sampledata.h"

#include "core/base/bytewriter.h"
#include "core/broker/partitionlog.h"
#include "core/hash/keyhash.h"
#include "core/records/recordcodec.h"
#include "core/segments/logdirectory.h"
#include "core/segments/segmentfile.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <bit>
#include <cmath>

namespace topicscope::broker
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint32 kOrderPartitions = 3;
constexpr qint32 kTelemetryPartitions = 2;
constexpr int kOrders = 3000;
constexpr int kClicks = 1500;
constexpr int kMeasurements = 900;
constexpr int kLogLines = 500;
constexpr int kLargeBytes = 3 << 20;
constexpr qint64 kRemarkableFromEnd = 12; ///< records behind the damaged one

const char16_t *const kCustomers[] = {
    u"Ada Lovelace",   u"Jürgen Groß",       u"Zoë O’Hara",   u"Þórdís Guðmundsdóttir",
    u"Анна Каренина",  u"Νίκος Καζαντζάκης", u"山田 太郎",    u"김민준",
    u"محمد العربي",    u"Łukasz Żółć",       u"Siân Llŷr",    u"देवी शर्मा",
    u"Mia 🦊 Fuchs", u"Grace Hopper",      u"François Œuf",
};
const char16_t *const kItems[] = {
    u"espresso cup", u"Kaffeemühle", u"thé vert",    u"desk lamp",
    u"クロスバイク", u"notebook A5", u"USB-C cable", u"garden hose",
};
const char16_t *const kStates[] = {u"created", u"paid", u"packed", u"shipped", u"returned"};
const char16_t *const kPages[] = {u"/", u"/cart", u"/search?q=lamp", u"/item/4711", u"/checkout"};
const char16_t *const kBrowsers[] = {u"Firefox", u"Chrome", u"Safari", u"curl"};

// The engine is the same everywhere; the standard's distributions are not.
quint32 below(std::mt19937 &random, quint32 limit)
{
    return quint32(random() % limit);
}

template <size_t N>
QString pick(std::mt19937 &random, const char16_t *const (&choices)[N])
{
    return QString::fromUtf16(choices[below(random, N)]);
}

QString timeText(const QDateTime &time)
{
    return time.toUTC().toString(Qt::ISODateWithMs);
}

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString money(quint32 cents)
{
    return u"%1.%2"_s.arg(cents / 100).arg(cents % 100, 2, 10, QChar(u'0'));
}

QJsonObject makeOrder(std::mt19937 &random, int id, const QDateTime &published)
{
    QJsonArray items;
    quint32 total = 0;
    for (quint32 n = 1 + below(random, 4); n > 0; --n) {
        const quint32 price = 99 + below(random, 20'000);
        const int quantity = 1 + int(below(random, 3));
        total += price * quint32(quantity);
        items.append(QJsonObject{{u"name"_s, pick(random, kItems)},
                                 {u"quantity"_s, quantity},
                                 {u"price"_s, money(price)}});
    }
    return {{u"id"_s, id},
            {u"key"_s, u"order-%1"_s.arg(id)},
            {u"customer"_s, pick(random, kCustomers)},
            {u"state"_s, pick(random, kStates)},
            {u"items"_s, items},
            {u"total"_s, money(total)},
            {u"currency"_s, u"EUR"_s},
            {u"published"_s, timeText(published)}};
}

/// As a producer places it: FNV-1a of the key.
TopicPartition orderPartition(int id)
{
    const QByteArray key = "order-" + QByteArray::number(id);
    return {u"orders"_s, PartitionId{qint32(fnv1a32(asBytes(key)) % quint32(kOrderPartitions))}};
}

/// A device's measurement, packed: u32 device, i64 ms since the epoch, three f64, big-endian.
QByteArray makeMeasurement(std::mt19937 &random, int number, const QDateTime &published)
{
    ByteWriter out(64);
    out.bytes(QByteArrayLiteral("\x54\x4d\x01\x00"));
    out.u32(1000 + below(random, 40));
    out.i64(published.toMSecsSinceEpoch());
    for (const double value :
         {20.0 + 5.0 * std::sin(number / 50.0), 1013.25 + double(below(random, 100)) / 10.0,
          double(below(random, 10'000)) / 100.0}) {
        out.i64(std::bit_cast<qint64>(value));
    }
    return out.take();
}

QByteArray makeStackTrace(const QDateTime &published)
{
    QString text = u"%1 ERROR [checkout-7] payment failed\n"_s.arg(timeText(published)) +
                   u"java.lang.IllegalStateException: card service answered 503\n"_s;
    for (int frame = 0; frame < 28; ++frame) {
        text += u"\tat com.example.shop.%1.handle(%1.java:%2)\n"_s.arg(
            frame % 3 == 0   ? u"PaymentGateway"_s
            : frame % 3 == 1 ? u"RetryingClient"_s
                             : u"RequestPipeline"_s,
            QString::number(40 + 7 * frame));
    }
    return text.toUtf8();
}

QByteArray makeLogLine(std::mt19937 &random, int number, const QDateTime &published)
{
    const QByteArray time = timeText(published).toUtf8();
    const QByteArray n = QByteArray::number(number);
    switch (below(random, 8)) {
    case 0:
        return time + " \x1b[33mWARN\x1b[0m  cache miss ratio " +
               QByteArray::number(below(random, 100)) + " %\r\n";
    case 1:
        return time + "\tDEBUG\tcolumn\tseparated\t" + n;
    case 2:
        return time + " INFO  progress\b\b\b\a done \x7f" + QByteArray(1, '\0') + "end of field";
    default:
        return time + " INFO  request " + n + " served in " +
               QByteArray::number(1 + below(random, 900)) + " ms";
    }
}

/// Times that end at `until`, one step apart.
QDateTime timeOf(int index, int count, const QDateTime &until, qint64 stepMs)
{
    return until.addMSecs(-stepMs * (count - 1 - index));
}

QByteArray makeLargeOrder(std::mt19937 &random, const QDateTime &published)
{
    QJsonObject order = makeOrder(random, kOrders, published);
    QByteArray scan(kLargeBytes * 3 / 4, Qt::Uninitialized);
    for (char &byte : scan)
        byte = char(below(random, 256));
    order.insert(u"scan"_s, QString::fromLatin1(scan.toBase64()));
    return compact(order);
}

} // namespace

QList<TopicConfig> sampleTopics()
{
    return {{u"orders"_s, kOrderPartitions},
            {u"clicks"_s, 1},
            {u"telemetry"_s, kTelemetryPartitions},
            {u"logs"_s, 1}};
}

TopicPartition growingPartition()
{
    return {u"clicks"_s, PartitionId{0}};
}

QByteArray makeSampleClick(std::mt19937 &random, const QDateTime &published)
{
    return compact({{u"page"_s, pick(random, kPages)},
                    {u"visitor"_s, u"v-%1"_s.arg(below(random, 500))},
                    {u"browser"_s, pick(random, kBrowsers)},
                    {u"published"_s, timeText(published)}});
}

SampleData makeSampleData(const QDateTime &until, quint32 seed)
{
    std::mt19937 random(seed);
    SampleData data;
    for (int id = 0; id < kOrders; ++id) {
        const QDateTime published = timeOf(id, kOrders, until, 2500);
        data.records[orderPartition(id)].append(compact(makeOrder(random, id, published)));
    }
    const TopicPartition remarkable{u"orders"_s, PartitionId{1}};
    QList<QByteArray> &records = data.records[remarkable];
    const Offset large{records.size() - kRemarkableFromEnd / 2};
    records.insert(large.value, makeLargeOrder(random, until.addSecs(-60)));
    data.places = {remarkable, Offset{records.size() - kRemarkableFromEnd}, large};

    QList<QByteArray> &clicks = data.records[growingPartition()];
    for (int i = 0; i < kClicks; ++i)
        clicks.append(makeSampleClick(random, timeOf(i, kClicks, until, 700)));
    for (int i = 0; i < kMeasurements; ++i) {
        const TopicPartition partition{u"telemetry"_s, PartitionId{i % kTelemetryPartitions}};
        data.records[partition].append(
            makeMeasurement(random, i, timeOf(i, kMeasurements, until, 1000)));
    }
    QList<QByteArray> &logs = data.records[TopicPartition{u"logs"_s, PartitionId{0}}];
    for (int i = 0; i < kLogLines; ++i) {
        const QDateTime published = timeOf(i, kLogLines, until, 3000);
        logs.append(i == kLogLines - 8 ? makeStackTrace(published)
                                       : makeLogLine(random, i, published));
    }
    return data;
}

Result<void> writeSampleData(const SampleData &data, const QString &dataDirectory)
{
    PartitionLog::Options options;
    options.capacityBytes = BrokerConfig().segmentCapacityBytes;
    const QDir dir(dataDirectory);
    for (const auto &[partition, records] : data.records) {
        QStringList warnings;
        auto log = PartitionLog::open(partition, dir.filePath(partitionDirectoryName(partition)),
                                      dir.filePath(u".removed"_s), options, &warnings);
        if (!log)
            return log.error();
        for (const QByteArray &body : records) {
            ByteWriter framed(body.size() + 4);
            framed.i32(qint32(body.size()));
            framed.bytes(body);
            if (auto offset = (*log)->append(asBytes(framed.take()), 1); !offset)
                return offset.error();
        }
        if (auto written = (*log)->write(); !written)
            return written;
    }
    return {};
}

Result<void> damageRecord(const QString &dataDirectory, const TopicPartition &partition,
                          Offset offset)
{
    const QString path =
        u"%1/%2/%3"_s.arg(dataDirectory, partitionDirectoryName(partition), segmentFileName({}));
    const auto file = PosixFile::open(path, PosixFile::Mode::ReadWrite);
    if (!file)
        return file.error();
    qint64 middle = -1;
    const auto walk = walkSegment(**file, [&](qint64 number, qint64 position, qint32 bodyBytes) {
        if (number == offset.value)
            middle = position + kRecordHeaderBytes + bodyBytes / 2;
    });
    if (!walk)
        return walk.error();
    if (middle < 0) {
        return Error::make(ErrorKind::InvalidArgument, u"no such record"_s,
                           {partition.topic, partition.partition, offset, path, {}});
    }
    std::array<std::byte, 1> byte{};
    if (const auto read = (*file)->read(middle, byte); !read)
        return read.error();
    byte[0] ^= std::byte{0x10};
    return (*file)->write(middle, byte);
}

} // namespace topicscope::broker
