#include "ui/models/publishhistorymodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using Outcome = PublishEntry::Outcome;

namespace
{

const QString kEndpoint = u"localhost:9092"_s;

PublishRequest request(const QByteArray &value, AckPolicy ack = AckPolicy::Written)
{
    PublishRequest request;
    request.topic = u"orders"_s;
    request.value = value;
    request.ack = ack;
    return request;
}

PublishResult published(qint32 partition, std::optional<qint64> offset, qint64 before = 0)
{
    PublishResult result;
    result.partition = {u"orders"_s, PartitionId{partition}};
    if (offset)
        result.offset = Offset{*offset};
    result.endOffsetBefore = Offset{before};
    return result;
}

Error unknown(qint32 partition, qint64 before)
{
    return Error::make(ErrorKind::OutcomeUnknown, {},
                       {u"orders"_s, PartitionId{partition}, Offset{before}, kEndpoint, {}});
}

/// Of a connection to kEndpoint.
SessionConfig config()
{
    SessionConfig config;
    config.host = u"localhost"_s;
    return config;
}

} // namespace

class tst_PublishHistoryModel : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_model = std::make_unique<PublishHistoryModel>();
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup()
    {
        m_tester.reset();
        m_model.reset();
    }
    void newestFirstWithItsAnswer();
    void ackNoneIsSentNotConfirmed();
    void lostAnswerIsUnknownAndCanBeLookedFor();
    void notFoundSaysFromWhereToWhere();
    void errorsAreInPlainWords();
    void staleIdsChangeNothing();
    void closedSessionLeavesUnknownBehind();
    void entriesAreBounded();
    void payloadBytesAreBounded();
    void clearKeepsWhatWaits();

private:
    void add(quint64 id, const PublishRequest &what)
    {
        m_model->add(&m_session, RequestId{id}, what, config(),
                     QDateTime(QDate(2026, 8, 1), QTime(12, 4, 11)));
    }
    /// All columns of a row.
    QString row(int row) const
    {
        QStringList texts;
        for (int column = 0; column < m_model->columnCount(); ++column)
            texts << m_model->index(row, column).data().toString();
        return texts.join(u'|');
    }
    QString longText(int row) const
    {
        return m_model->index(row, 0).data(Qt::ToolTipRole).toString();
    }

    const QObject m_session;
    std::unique_ptr<PublishHistoryModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void tst_PublishHistoryModel::newestFirstWithItsAnswer()
{
    add(1, request("one"));
    add(2, request("three"));
    QCOMPARE(row(0), u"12:04:11|orders|||written|5|waiting for the answer"_s);
    m_model->onPublished(&m_session, RequestId{1}, published(2, 3201));
    QCOMPARE(row(1), u"12:04:11|orders|2|3201|written|3|published"_s);
    QCOMPARE(row(0), u"12:04:11|orders|||written|5|waiting for the answer"_s);
    QCOMPARE(m_model->index(1, 0).data(PublishHistoryModel::LineRole).toString(),
             u"12:04:11 orders/2 offset 3201: Published to localhost:9092."_s);
}

void tst_PublishHistoryModel::ackNoneIsSentNotConfirmed()
{
    add(1, request("v", AckPolicy::None));
    m_model->onPublished(&m_session, RequestId{1}, published(0, std::nullopt, 10));
    QCOMPARE(row(0), u"12:04:11|orders|0||none|1|sent, not confirmed"_s);
    QVERIFY(m_model->entry(0).isSearchable());
}

void tst_PublishHistoryModel::lostAnswerIsUnknownAndCanBeLookedFor()
{
    add(1, request("v"));
    m_model->onFailed(&m_session, RequestId{1}, unknown(2, 700));
    QCOMPARE(row(0), u"12:04:11|orders|2||written|1|outcome unknown"_s);
    QVERIFY(!longText(0).contains(u"fail"_s, Qt::CaseInsensitive));
    QVERIFY(m_model->entry(0).isSearchable());
    QCOMPARE(m_model->entry(0).searchFrom, std::optional(Offset{700}));
    m_model->onSearchStarted(0, &m_session, RequestId{5});
    QVERIFY(!m_model->entry(0).isSearchable());
    QVERIFY(row(0).endsWith(u"outcome unknown; looking for it…"_s));
    m_model->onLookedFor(&m_session, RequestId{5}, {Offset{705}, Offset{712}});
    QCOMPARE(row(0), u"12:04:11|orders|2|705|written|1|outcome unknown; found at offset 705"_s);
}

void tst_PublishHistoryModel::notFoundSaysFromWhereToWhere()
{
    add(1, request("v"));
    m_model->onFailed(&m_session, RequestId{1}, unknown(2, 700));
    m_model->onSearchStarted(0, &m_session, RequestId{5});
    m_model->onLookedFor(&m_session, RequestId{5}, {std::nullopt, Offset{712}});
    QVERIFY(row(0).endsWith(u"outcome unknown; not in the log from offset 700 to its end, 712"_s));
    QVERIFY2(longText(0).contains(u"from offset 700, its end before sending, to 712"_s),
             qPrintable(longText(0)));
    // It may still come: looking again is possible, and a failure to look is no answer.
    QVERIFY(m_model->entry(0).isSearchable());
    m_model->onSearchStarted(0, &m_session, RequestId{6});
    m_model->onFailed(&m_session, RequestId{6}, Error::make(ErrorKind::Timeout, {}));
    QVERIFY2(row(0).contains(u"outcome unknown; could not be looked for: No answer in time"_s),
             qPrintable(row(0)));
    QVERIFY(m_model->entry(0).isSearchable());
}

void tst_PublishHistoryModel::errorsAreInPlainWords()
{
    add(1, request("v"));
    m_model->onFailed(&m_session, RequestId{1}, Error::make(ErrorKind::ReadOnly, {}));
    QVERIFY(row(0).endsWith(u"|This connection is marked read-only."_s));
    QVERIFY(longText(0).contains(u"Nothing was sent."_s));
    QVERIFY(!m_model->entry(0).isSearchable());
}

void tst_PublishHistoryModel::staleIdsChangeNothing()
{
    add(1, request("v"));
    m_model->onPublished(&m_session, RequestId{1}, published(0, 1));
    const QString before = row(0);
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->onPublished(&m_session, RequestId{1}, published(1, 2)); // answered already
    m_model->onPublished(&m_session, RequestId{9}, published(1, 2));
    m_model->onFailed(&m_session, RequestId{1}, unknown(0, 0));
    m_model->onLookedFor(&m_session, RequestId{1}, {Offset{4}, Offset{5}});
    add(2, request("w"));
    const QObject other;
    m_model->onPublished(&other, RequestId{2}, published(1, 2)); // another session's 2
    m_model->onSessionClosed(&other);
    QVERIFY(row(0).endsWith(u"waiting for the answer"_s));
    QCOMPARE(changed.count(), 0);
    QCOMPARE(row(1), before);
}

void tst_PublishHistoryModel::closedSessionLeavesUnknownBehind()
{
    add(1, request("answered"));
    m_model->onPublished(&m_session, RequestId{1}, published(0, 1));
    add(2, request("waiting"));
    m_model->onSessionClosed(&m_session);
    QVERIFY(row(0).endsWith(u"outcome unknown"_s));
    QVERIFY(row(1).endsWith(u"published"_s));
    // The next session counts its requests from 1 again.
    m_model->onPublished(&m_session, RequestId{2}, published(0, 77));
    QVERIFY(row(0).endsWith(u"outcome unknown"_s));
}

void tst_PublishHistoryModel::entriesAreBounded()
{
    m_tester.reset(); // looks at everything after each change
    for (quint64 id = 1; id <= 1003; ++id) {
        if (id == 999) {
            m_tester = std::make_unique<QAbstractItemModelTester>(
                m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        }
        add(id, request("v" + QByteArray::number(qulonglong(id))));
    }
    QCOMPARE(m_model->rowCount(), 1000);
    QCOMPARE(m_model->entry(0).request.value, std::optional(QByteArray("v1003")));
    QCOMPARE(m_model->entry(999).request.value, std::optional(QByteArray("v4")));
}

void tst_PublishHistoryModel::payloadBytesAreBounded()
{
    const QByteArray large(8 * 1024 * 1024, 'x'); // shared: nine of them take no memory here
    for (quint64 id = 1; id <= 9; ++id) {
        add(id, request(large));
        m_model->onFailed(&m_session, RequestId{id}, unknown(0, 0));
    }
    QVERIFY(!m_model->entry(8).payloadKept);
    QVERIFY(!m_model->entry(8).isSearchable());
    QVERIFY(longText(8).contains(u"no longer kept"_s));
    QVERIFY(row(8).contains(QString(u"8 388 608"_s).replace(u' ', QChar(0x202F))));
    QVERIFY(m_model->entry(7).payloadKept);
}

void tst_PublishHistoryModel::clearKeepsWhatWaits()
{
    add(1, request("a"));
    add(2, request("b"));
    m_model->onPublished(&m_session, RequestId{1}, published(0, 0));
    m_model->clear();
    QCOMPARE(m_model->rowCount(), 1);
    m_model->onPublished(&m_session, RequestId{2}, published(0, 1));
    QVERIFY(row(0).endsWith(u"published"_s));
}

QTEST_MAIN(tst_PublishHistoryModel)
#include "tst_publishhistorymodel.moc"
