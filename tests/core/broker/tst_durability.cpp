#include "core/broker/brokerserver.h"
#include "tests/support/rawclient.h"

#include <QFile>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace topicscope::broker;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

constexpr char kForced = 2;

struct Barrier {
    QString path;
    bool beforeAnswer = false;
};

std::vector<Barrier> barriers;
int clientDescriptor = -1; ///< barriers are noted while there is one

void note(int descriptor)
{
    if (clientDescriptor < 0)
        return;
    int answered = 0;
    ioctl(clientDescriptor, FIONREAD, &answered);
    barriers.push_back(
        {QFile::symLinkTarget(u"/proc/self/fd/%1"_s.arg(descriptor)), answered == 0});
}

} // namespace

// These stand before the C library's own: what the broker makes durable is seen here, in order.
extern "C" int fsync(int descriptor)
{
    note(descriptor);
    return int(syscall(SYS_fsync, descriptor));
}

extern "C" int fdatasync(int descriptor)
{
    note(descriptor);
    return int(syscall(SYS_fdatasync, descriptor));
}

/// What FORCED waits for, with the server on the test's own event loop.
class tst_Durability : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    QString segment(int base) const
    {
        return m_dir.filePath(u"demo-0/%1.log"_s.arg(base, 20, 10, QChar(u'0')));
    }

private slots:
    void forcedRecordsOnBothSidesOfARollAreDurable();
};

void tst_Durability::forcedRecordsOnBothSidesOfARollAreDurable()
{
    BrokerConfig config;
    config.dataDirectory = m_dir.path();
    config.port = 0;
    config.topics = {{u"demo"_s, 1}};
    config.segmentCapacityBytes = 18; // two records of one byte
    BrokerServer server(config);
    const auto port = server.start();
    QVERIFY(port);
    QTcpSocket client;
    client.connectToHost(QHostAddress(QHostAddress::LocalHost), *port);
    client.write(produceFrame(1, "demo", 0, kForced, {"a"}));
    QTRY_COMPARE(client.bytesAvailable(), 26);

    clientDescriptor = int(client.socketDescriptor());
    client.write(produceFrame(2, "demo", 0, kForced, {"b", "c"})); // "c" rolls
    QTRY_COMPARE(client.bytesAvailable(), 52);
    clientDescriptor = -1;

    QStringList paths;
    for (const Barrier &barrier : barriers) {
        QVERIFY2(barrier.beforeAnswer, qPrintable(barrier.path));
        paths << barrier.path;
    }
    QVERIFY2(paths.contains(segment(0)), "the segment that was rolled away from");
    QVERIFY2(paths.contains(segment(2)), "the new segment");
    QVERIFY2(paths.contains(m_dir.filePath(u"demo-0"_s)), "the directory with the new name");
    QCOMPARE(paths.size(), 3);
}

QTEST_GUILESS_MAIN(tst_Durability)
#include "tst_durability.moc"
