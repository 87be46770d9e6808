#include "ui/settings/uisettings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_UiSettings : public QObject
{
    Q_OBJECT
private slots:
    void everyFieldComesBack();
    void currentPlaceIsKeptOfTooMany();
    void emptyFileMeansDefaults();
    void nonsenseCountsAsAbsent();
    void placesAreParsed_data();
    void placesAreParsed();
    void formatsAreKeptByConnectionTopicAndPart();

private:
    QTemporaryDir m_dir;
};

void tst_UiSettings::everyFieldComesBack()
{
    const QString file = m_dir.filePath(u"all.ini"_s);
    const std::vector<Place> places{
        {u"127.0.0.1:9092"_s, u"orders"_s, PartitionId{1}, Offset{10'480}},
        {u"my broker, the \"old\" one"_s, u"orders"_s, PartitionId{0}, {}},
        {{}, u"clicks"_s, {}, {}},
    };
    {
        UiSettings settings(file);
        settings.setColorScheme(ColorScheme::Dark);
        settings.setTimeStyle(*TimeStyle::named(u"Asia/Kolkata"_s));
        settings.setIsolation(u"[::1]:9092,b/c"_s, Isolation::ReadCommitted);
        settings.setRefreshInterval(std::chrono::seconds(30));
        settings.setHeldBytes(qint64(96) * 1024 * 1024);
        settings.setMaxBytes(64 * 1024);
        settings.setWindowGeometry(QByteArrayLiteral("\x00g\xff"));
        settings.setWindowState(QByteArrayLiteral("state"));
        settings.setTopicColumns(QByteArrayLiteral("columns"));
        settings.setShowsTopicOffsets(false);
        settings.setPublishLogColumns(QByteArrayLiteral("log"));
        settings.setColumns(u"topic"_s, {u"offset:80"_s, u"-crc:0"_s});
        settings.setColumns(u"partition"_s, {u"offset:81"_s});
        settings.setColumns(u"partition"_s, {});
        settings.setPlaces(places);
    }
    const UiSettings settings(file);
    QCOMPARE(settings.colorScheme(), ColorScheme::Dark);
    QCOMPARE(settings.timeStyle().name(), u"Asia/Kolkata"_s);
    QCOMPARE(settings.isolation(u"[::1]:9092,b/c"_s), Isolation::ReadCommitted);
    QCOMPARE(settings.isolation(u"b/c"_s), Isolation::ReadUncommitted);
    QCOMPARE(settings.refreshInterval(), std::chrono::seconds(30));
    QCOMPARE(settings.heldBytes(), qint64(100'663'296));
    QCOMPARE(settings.maxBytes(), 65'536);
    QCOMPARE(settings.windowGeometry(), QByteArrayLiteral("\x00g\xff"));
    QCOMPARE(settings.windowState(), QByteArrayLiteral("state"));
    QCOMPARE(settings.topicColumns(), QByteArrayLiteral("columns"));
    QCOMPARE(settings.showsTopicOffsets(), std::optional(false));
    QCOMPARE(settings.publishLogColumns(), QByteArrayLiteral("log"));
    QCOMPARE(settings.columns(u"topic"_s), QStringList({u"offset:80"_s, u"-crc:0"_s}));
    QCOMPARE(settings.columns(u"partition"_s), QStringList());
    QCOMPARE(settings.places(), places);
}

void tst_UiSettings::currentPlaceIsKeptOfTooMany()
{
    UiSettings settings(m_dir.filePath(u"many.ini"_s));
    std::vector<Place> places;
    for (qint32 id = 0; id < 25; ++id)
        places.push_back({u"b:1"_s, u"orders"_s, PartitionId{id}, {}});
    settings.setPlaces(places);
    QCOMPARE(settings.places().size(), size_t(20));
    QCOMPARE(settings.places().front(), places[5]);
    QCOMPARE(settings.places().back(), places[24]);
}

void tst_UiSettings::emptyFileMeansDefaults()
{
    const UiSettings settings(m_dir.filePath(u"none.ini"_s));
    QCOMPARE(settings.colorScheme(), ColorScheme::System);
    QCOMPARE(settings.refreshInterval(), std::chrono::seconds(3));
    QVERIFY(settings.places().empty());
    QVERIFY(settings.windowState().isEmpty());
    QCOMPARE(settings.showsTopicOffsets(), std::nullopt);
}

void tst_UiSettings::nonsenseCountsAsAbsent()
{
    const QString path = m_dir.filePath(u"nonsense.ini"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[appearance]\nscheme=pink\n"
               "[topics]\nrefreshSeconds=-5\nshowOffsets=maybe\n"
               "[records]\nheldBytes=1\nmaxBytes=99999999999\n"
               "[window]\nplaces=a b /c, two words ok/1, 127.0.0.1:1 x/99999999999, onlyone, \n");
    file.close();
    const UiSettings settings(path);
    QCOMPARE(settings.colorScheme(), ColorScheme::System);
    QCOMPARE(settings.refreshInterval(), std::chrono::seconds(3));
    QCOMPARE(settings.showsTopicOffsets(), std::nullopt);
    QCOMPARE(settings.heldBytes(), qint64(33'554'432));
    QCOMPARE(settings.maxBytes(), 1'048'576);
    const std::vector<Place> expected{{u"two words"_s, u"ok"_s, PartitionId{1}, {}},
                                      {{}, u"onlyone"_s, {}, {}}};
    QCOMPARE(settings.places(), expected);
}

void tst_UiSettings::placesAreParsed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("valid");
    QTest::addColumn<QString>("topic");
    QTest::addColumn<int>("partition"); // -1: none
    QTest::addColumn<qint64>("offset"); // -1: none
    const auto none = qint64(-1);
    QTest::newRow("topic") << u"orders"_s << true << u"orders"_s << -1 << none;
    QTest::newRow("partition") << u"a.b-c_d/12"_s << true << u"a.b-c_d"_s << 12 << none;
    QTest::newRow("offset") << u"orders/0@5000000000"_s << true << u"orders"_s << 0
                            << qint64(5'000'000'000);
    QTest::newRow("largest offset") << u"t/0@9223372036854775807"_s << true << u"t"_s << 0
                                    << std::numeric_limits<qint64>::max();
    QTest::newRow("empty") << QString() << false << QString() << 0 << none;
    QTest::newRow("offset without partition") << u"orders@5"_s << false << QString() << 0 << none;
    QTest::newRow("partition too large") << u"t/2147483648"_s << false << QString() << 0 << none;
    QTest::newRow("offset too large")
        << u"t/0@9223372036854775808"_s << false << QString() << 0 << none;
    QTest::newRow("negative") << u"t/-1"_s << false << QString() << 0 << none;
    QTest::newRow("path") << u"../t/0"_s << false << QString() << 0 << none;
}

void tst_UiSettings::placesAreParsed()
{
    QFETCH(QString, text);
    QFETCH(bool, valid);
    QFETCH(QString, topic);
    QFETCH(int, partition);
    QFETCH(qint64, offset);
    const auto place = parsePlace(text);
    QCOMPARE(place.has_value(), valid);
    if (!valid)
        return;
    QCOMPARE(place->topic, topic);
    QCOMPARE(place->partition ? place->partition->value : -1, partition);
    QCOMPARE(place->offset ? place->offset->value : -1, offset);
}

void tst_UiSettings::formatsAreKeptByConnectionTopicAndPart()
{
    const QString file = m_dir.filePath(u"formats.ini"_s);
    const QString one = u"[::1]:9092,b/c:9092"_s;
    const QString number = u"int64-be"_s;
    {
        UiSettings settings(file);
        settings.setFormat(one, u"orders"_s, PayloadPart::Key, number);
        settings.setFormat(one, u"orders"_s, PayloadPart::Value, u"avro:/schemas/order 1.avsc"_s);
        settings.setFormat(u"b/c"_s, u"orders"_s, PayloadPart::Key, number);
        settings.setFormat(u"b/c"_s, u"orders"_s, PayloadPart::Key, {});
    }
    const UiSettings settings(file);
    QCOMPARE(settings.format(one, u"orders"_s, PayloadPart::Key), number);
    QCOMPARE(settings.format(one, u"orders"_s, PayloadPart::Value),
             u"avro:/schemas/order 1.avsc"_s);
    QCOMPARE(settings.format(one, u"order"_s, PayloadPart::Key), QString());
    QCOMPARE(settings.format(u"b/c"_s, u"orders"_s, PayloadPart::Key), QString());
}

QTEST_GUILESS_MAIN(tst_UiSettings)
#include "tst_uisettings.moc"
