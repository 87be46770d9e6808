#include "tests/support/fakesession.h"
#include "ui/models/recordloader.h"
#include "ui/models/recordtablemodel.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// RecordLoader::fetchWhole() where the record does not come as expected.
class tst_FetchWhole : public QObject
{
    Q_OBJECT

    std::optional<FakeBroker> m_broker;
    std::unique_ptr<SessionHandle> m_session;
    std::unique_ptr<RecordTableModel> m_model;
    std::unique_ptr<RecordLoader> m_loader;

    /// Fetches offset 1 of orders / 0. @return what the user is told
    QString told(qint64 bytes);
    QList<qint32> asked() const;

private slots:
    void init();
    void cleanup();
    void anUnknownSizeIsFoundByDoubling();
    void aWrongSizeIsAskedForAsStated();
    void noMoreIsAskedForThanARecordCanHave();
    void aDamagedSizeIsSaid();
    void aLogThatEndsBeforeIsSaid();
    void anEmptyAnswerIsSaid();
};

void tst_FetchWhole::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_broker.emplace();
    m_broker->addTopic(u"orders"_s, 1);
    m_broker->append(u"orders"_s, 0, "first");
    m_session = std::make_unique<SessionHandle>(m_broker->factory(), SessionConfig{});
    m_model = std::make_unique<RecordTableModel>();
    m_loader = std::make_unique<RecordLoader>(m_session.get(), m_model.get());
    m_loader->setMaxBytes(1 << 20);
    TopicInfo topic;
    topic.name = u"orders"_s;
    topic.partitions = {{PartitionId{0}, Offset{0}, Offset{2}, {}}};
    m_loader->open(topic, PartitionId{0});
}

void tst_FetchWhole::cleanup()
{
    m_loader.reset();
    m_model.reset();
    m_session.reset();
}

QString tst_FetchWhole::told(qint64 bytes)
{
    QSignalSpy noticed(m_loader.get(), &RecordLoader::noticed);
    m_loader->fetchWhole(PartitionId{0}, Offset{1}, bytes);
    if (!QTest::qWaitFor([&] { return m_loader->job() == RecordLoader::Job::None; }))
        return u"no end"_s;
    return noticed.isEmpty() ? QString() : noticed[0][0].toString();
}

QList<qint32> tst_FetchWhole::asked() const
{
    QList<qint32> result;
    for (const FetchRequest &request : m_broker->fetchRequests())
        result << request.maxBytes;
    return result;
}

void tst_FetchWhole::anUnknownSizeIsFoundByDoubling()
{
    m_broker->append(u"orders"_s, 0, QByteArray(100, 'x'));
    m_loader->setMaxBytes(2);
    QCOMPARE(told(0), QString());
    // 4 bytes do not hold a header; 8 do, and it states the size.
    QCOMPARE(asked(), (QList<qint32>{4, 8, 108}));
}

void tst_FetchWhole::aWrongSizeIsAskedForAsStated()
{
    m_broker->append(u"orders"_s, 0, QByteArray(3'000'000, 'x'));
    QCOMPARE(told(50), QString());
    QCOMPARE(asked(), (QList<qint32>{58, 3'000'008}));
}

void tst_FetchWhole::noMoreIsAskedForThanARecordCanHave()
{
    // The largest record a frame of 8 MiB can bring has 8 388 585 bytes.
    m_broker->append(u"orders"_s, 0, QByteArray(8'388'586, 'x'));
    QCOMPARE(told(50), u"Offset 1 of orders / 0 cannot be fetched whole: it is larger than any "
                       "record a broker takes."_s);
    QCOMPARE(asked(), QList<qint32>{58});
}

void tst_FetchWhole::aDamagedSizeIsSaid()
{
    m_broker->append(u"orders"_s, 0, "damaged");
    m_broker->damage(u"orders"_s, 0, Offset{1}, Damage::Size);
    QVERIFY(told(0).endsWith(u"cannot be fetched whole: its size field is damaged."_s));
}

void tst_FetchWhole::aLogThatEndsBeforeIsSaid()
{
    QVERIFY(told(0).endsWith(u"cannot be fetched whole: the log ends before it now."_s));
}

void tst_FetchWhole::anEmptyAnswerIsSaid()
{
    m_broker->append(u"orders"_s, 0, "missing");
    m_broker->append(u"orders"_s, 0, "behind");
    m_broker->damage(u"orders"_s, 0, Offset{1}, Damage::Missing);
    QVERIFY(told(0).endsWith(u"the broker sends nothing there, although its log goes on."_s));
}

QTEST_GUILESS_MAIN(tst_FetchWhole)
#include "tst_fetchwhole.moc"
