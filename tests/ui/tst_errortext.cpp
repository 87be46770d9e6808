#include "ui/errortext.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_ErrorText : public QObject
{
    Q_OBJECT
private slots:
    void aRefusalIsSaidInWords_data();
    void aRefusalIsSaidInWords();
    void anUnknownRefusalKeepsNameAndCode();
    void aRefusedLoginIsNoUnreachableBroker();
    void theSystemsWordsAreShownWhereTheyAddSomething();
};

void tst_ErrorText::aRefusalIsSaidInWords_data()
{
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("advice");
    QTest::newRow("TOPIC_AUTHORIZATION_FAILED")
        << u"may not do that with this topic"_s << u"Read"_s;
    QTest::newRow("GROUP_AUTHORIZATION_FAILED") << u"consumer group"_s << u"Describe"_s;
    QTest::newRow("LEADER_NOT_AVAILABLE") << u"no leader"_s << u"replicas"_s;
    QTest::newRow("MSG_SIZE_TOO_LARGE") << u"larger"_s << u"max.message.bytes"_s;
    QTest::newRow("NOT_ENOUGH_REPLICAS") << u"in sync"_s << u"min.insync.replicas"_s;
    QTest::newRow("UNKNOWN_TOPIC_OR_PART") << u"does not know"_s << u"may not see"_s;
    QTest::newRow("UNKNOWN_TOPIC_OR_PARTITION") << u"does not know"_s << u"case-sensitive"_s;
}

void tst_ErrorText::aRefusalIsSaidInWords()
{
    QFETCH(const QString, title);
    QFETCH(const QString, advice);
    Error error = Error::make(ErrorKind::Broker, {});
    error.brokerCode = 29;
    error.brokerName = QString::fromLatin1(QTest::currentDataTag());
    const ErrorText text = errorText(error);
    QVERIFY2(text.title.contains(title), qPrintable(text.title));
    QVERIFY2(text.advice.contains(advice), qPrintable(text.advice));
}

void tst_ErrorText::anUnknownRefusalKeepsNameAndCode()
{
    Error error = Error::make(ErrorKind::Broker, {});
    error.brokerCode = 87;
    error.brokerName = u"SOMETHING_NEW"_s;
    const QString text = errorText(error).full();
    QVERIFY(text.contains(u"SOMETHING_NEW"_s));
    QVERIFY(text.contains(u"87"_s));
}

void tst_ErrorText::aRefusedLoginIsNoUnreachableBroker()
{
    Error error = Error::make(ErrorKind::Network, u"SASL authentication error: bad user"_s);
    error.networkCause = NetworkCause::LoginRefused;
    const QString text = errorText(error).full();
    QVERIFY2(text.contains(u"login was refused"_s), qPrintable(text));
    QVERIFY2(text.contains(u"bad user"_s), qPrintable(text));
    QVERIFY2(!text.contains(u"cannot be reached"_s), qPrintable(text));
}

void tst_ErrorText::theSystemsWordsAreShownWhereTheyAddSomething()
{
    Error error = Error::make(ErrorKind::Network, u"network is unreachable"_s);
    QVERIFY(errorText(error).title.contains(u"Network is unreachable."_s));
    error.networkCause = NetworkCause::Refused;
    QVERIFY(!errorText(error).title.contains(u"Network is unreachable"_s));
}

QTEST_GUILESS_MAIN(tst_ErrorText)

#include "tst_errortext.moc"
