#include "tests/support/fakesession.h"
#include "tests/support/modeldump.h"
#include "ui/models/modelroles.h"
#include "ui/panels/recordpanel.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

#include <numeric>

using namespace std::chrono_literals;
using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_RecordPanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void cleanup();

    void showsTheNewestRecordsFirst();
    void scrollingUpLoadsOlderOnesAndMovesNothing();
    void emptyPartitionSaysSo();
    void goesToAnOffset();
    void offsetOutsideTheLogIsMovedAndSaid();
    void nonsenseIsRefusedWithAnExample();
    void topicShowsAllPartitionsMerged();
    void oversizedRecordIsFetchedWhole();
    void wholeRecordOfUnknownSizeIsAskedForFirst();
    void cellTooLargeToCopyIsRefused();
    void manyPartitionsAskForSharesAndStillShowLargeRecords();
    void corruptRecordIsFlaggedAndTheOthersShown();
    void damagedLogIsOneRowAndReadingGoesOn();
    void logThatEndsInNothingIsOneRowToItsEnd();
    void retentionMeanwhileIsARowSayingSo();
    void answersToAnOlderQuestionAreDropped();
    void nextFlaggedScansBeyondTheWindow();
    void scanCanBeCancelled();
    void failureIsABannerWithRetryAndNothingIsLost();
    void olderRecordsComeWithoutAHoleOrNotAtAll();
    void olderRecordsOfAWindowMovedOnAreDropped();
    void lostConnectionIsRetriedByItself();
    void tryingAgainGoesWhereOneWanted();
    void firstLoadCancelledSaysSoAndIsDoneLater();
    void followCancelledBeforeItBeganIsOff();
    void followShowsNewRecordsAndPauseLosesNothing();
    void followGoesOnBehindWhatRetentionRemoved();
    void followingWindowStaysWithinItsBudget();
    void followingFilteredStaysWithinItsBudget();
    void filterEndsReadingBackWhenNothingIsLeftToScroll();
    void filterNarrowsTheRowsLoaded();
    void copiesValuesAndRows();
    void recordGoesToTheComposer();
    void destroyedWhileARequestIsBlocked();

private:
    void openPanel(std::optional<qint32> partition = 0, std::optional<qint64> at = {});
    TopicInfo topicInfo() const;
    RecordTableView *view() const
    {
        return m_panel->findChild<RecordTableView *>(u"recordTable"_s);
    }
    QStringList column(const QString &title) const;
    QList<qint64> offsets() const;
    static QList<qint64> upTo(qint64 first, qint64 end);
    std::pair<qint64, qint64> shown() const; ///< first and last offset of the window
    QString status() const { return m_panel->findChild<QLabel *>(u"recordStatus"_s)->text(); }
    QString header() const { return m_panel->findChild<QLabel *>(u"recordHeader"_s)->text(); }
    Banner *banner() const { return m_panel->findChild<Banner *>(u"recordBanner"_s); }
    QString currentOffset() const
    {
        return view()->currentIndex().siblingAtColumn(0).data().toString();
    }

    std::unique_ptr<FakeBroker> m_broker;
    std::unique_ptr<RecordPanel> m_panel;
};

void tst_RecordPanel::init()
{
    // The offscreen platform says this of every window with a minimum size.
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
    m_broker = std::make_unique<FakeBroker>();
    m_broker->addTopic(u"orders"_s, 3);
}

void tst_RecordPanel::cleanup()
{
    m_panel.reset();
    QTRY_COMPARE(m_broker->liveSessions(), 0);
    m_broker.reset();
}

TopicInfo tst_RecordPanel::topicInfo() const
{
    TopicInfo info;
    info.name = u"orders"_s;
    for (qint32 id = 0; id < 3; ++id) {
        const auto end = m_broker->values(u"orders"_s, id).size();
        info.partitions << PartitionInfo{PartitionId{id}, Offset{0}, Offset{end}, {}};
    }
    return info;
}

void tst_RecordPanel::openPanel(std::optional<qint32> partition, std::optional<qint64> at)
{
    SessionConfig config;
    config.reconnectFirst = 1ms;
    config.reconnectMax = 4ms;
    m_panel = std::make_unique<RecordPanel>(m_broker->factory(), config);
    m_panel->resize(900, 400);
    m_panel->show();
    QSignalSpy loaded(m_panel.get(), &RecordPanel::loaded);
    m_panel->open(topicInfo(), partition ? std::optional(PartitionId{*partition}) : std::nullopt,
                  at ? std::optional(Offset{*at}) : std::nullopt);
    QVERIFY(loaded.wait());
    QCOMPARE(loaded.count(), 1);
}

QStringList tst_RecordPanel::column(const QString &title) const
{
    const QAbstractItemModel &model = *view()->model();
    for (int section = 0; section < model.columnCount(); ++section) {
        if (model.headerData(section, Qt::Horizontal).toString() == title)
            return dumpColumn(model, section);
    }
    return {};
}

QList<qint64> tst_RecordPanel::offsets() const
{
    QList<qint64> result;
    for (QString &text : column(u"Offset"_s))
        result << text.remove(QChar(0x202f)).toLongLong();
    return result;
}

std::pair<qint64, qint64> tst_RecordPanel::shown() const
{
    const QRegularExpression range(u"showing (\\d+) … (\\d+)"_s);
    const auto match = range.match(header().remove(QChar(0x202f)));
    return {match.captured(1).toLongLong(), match.captured(2).toLongLong()};
}

QList<qint64> tst_RecordPanel::upTo(qint64 first, qint64 end)
{
    QList<qint64> result(end - first);
    std::iota(result.begin(), result.end(), first);
    return result;
}

void tst_RecordPanel::showsTheNewestRecordsFirst()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    QCOMPARE(column(u"Offset"_s).last(), u"11\u202f999"_s);
    QCOMPARE(column(u"Value"_s).last(), u"r-11999"_s);
    QVERIFY(view()->model()->rowCount() < 12'000);
    QCOMPARE(currentOffset(), u"11\u202f999"_s);
    QVERIFY(view()->isAtBottom());
    QVERIFY2(header().contains(u"log start 0 · high watermark 12\u202f000"_s),
             qPrintable(header()));
    QVERIFY2(header().contains(u"… 11\u202f999"_s), qPrintable(header()));
    QCOMPARE(m_panel->title(), u"orders / 0"_s);
}

void tst_RecordPanel::scrollingUpLoadsOlderOnesAndMovesNothing()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    const int rows = view()->model()->rowCount();
    view()->verticalScrollBar()->setValue(0);
    const auto topOffset = [this] {
        return view()->model()->index(view()->visibleRows().first, 0).data().toString();
    };
    const QString top = topOffset();
    QTRY_VERIFY(view()->model()->rowCount() > rows);
    QCOMPARE(topOffset(), top);
    // All the way down to the beginning.
    const auto atBeginning = [&] {
        view()->verticalScrollBar()->setValue(0);
        return column(u"Offset"_s).first() == u"0"_s;
    };
    QTRY_VERIFY(atBeginning());
    QCOMPARE(column(u"Value"_s).first(), u"r-0"_s);
    QCOMPARE(view()->model()->rowCount(), 12'000);
    QCOMPARE(currentOffset(), u"11\u202f999"_s);
}

void tst_RecordPanel::emptyPartitionSaysSo()
{
    openPanel(2);
    QCOMPARE(view()->model()->rowCount(), 0);
    m_panel->goTo(u"77"_s);
    QTRY_VERIFY2(status().contains(u"77"_s), qPrintable(status()));
    QVERIFY2(header().contains(u"high watermark 0"_s), qPrintable(header()));
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::goesToAnOffset()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel(0, 4'000);
    QCOMPARE(currentOffset(), u"4000"_s);
    m_panel->goTo(u"start"_s);
    QTRY_COMPARE(currentOffset(), u"0"_s);
    m_panel->goTo(u"-100"_s);
    QTRY_COMPARE(currentOffset(), u"11\u202f900"_s);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{7'777});
    QTRY_COMPARE(currentOffset(), u"7777"_s);
    auto *edit = m_panel->findChild<QLineEdit *>(u"goToEdit"_s);
    QTest::keyClicks(edit, u"end"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(currentOffset(), u"11\u202f999"_s);
}

void tst_RecordPanel::offsetOutsideTheLogIsMovedAndSaid()
{
    m_broker->appendMany(u"orders"_s, 0, 300);
    m_broker->setLogStart(u"orders"_s, 0, Offset{100});
    openPanel();
    m_panel->goTo(u"50"_s);
    QTRY_COMPARE(currentOffset(), u"100"_s);
    QVERIFY2(status().contains(u"50 is outside 100 … 299"_s), qPrintable(status()));
    m_panel->goTo(u"5000"_s);
    QTRY_COMPARE(currentOffset(), u"299"_s);
    QVERIFY2(status().contains(u"outside"_s), qPrintable(status()));
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::nonsenseIsRefusedWithAnExample()
{
    m_broker->appendMany(u"orders"_s, 0, 3);
    openPanel();
    const int calls = m_broker->calls(Call::Fetch);
    m_panel->goTo(u"12x"_s);
    QVERIFY2(status().contains(u"-100"_s), qPrintable(status()));
    QCOMPARE(m_broker->calls(Call::Fetch), calls);
}

void tst_RecordPanel::topicShowsAllPartitionsMerged()
{
    m_broker->append(u"orders"_s, 0, "a");
    m_broker->append(u"orders"_s, 1, "b");
    m_broker->append(u"orders"_s, 1, "c");
    m_broker->append(u"orders"_s, 2, "d");
    openPanel(std::nullopt);
    QCOMPARE(column(u"Partition"_s), (QStringList{u"0"_s, u"1"_s, u"1"_s, u"2"_s}));
    QCOMPARE(column(u"Offset"_s), (QStringList{u"0"_s, u"0"_s, u"1"_s, u"0"_s}));
    QCOMPARE(column(u"Value"_s), (QStringList{u"a"_s, u"b"_s, u"c"_s, u"d"_s}));
    m_panel->goToOffset({u"orders"_s, PartitionId{1}}, Offset{0});
    QCOMPARE(view()->currentIndex().row(), 1);
}

void tst_RecordPanel::oversizedRecordIsFetchedWhole()
{
    m_broker->append(u"orders"_s, 0, "before");
    const QByteArray large(3'000'000, 'x');
    m_broker->append(u"orders"_s, 0, large);
    m_broker->append(u"orders"_s, 0, "behind");
    openPanel();
    QCOMPARE(column(u"Flags"_s), (QStringList{QString(), u"too large"_s, QString()}));
    QCOMPARE(column(u"Size"_s)[1], u"3\u202f000\u202f000"_s);

    QSignalSpy notes(m_panel.get(), &RecordPanel::currentNoteChanged);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{1});
    QVERIFY(notes.last()[0].toString().contains(u"2.9 MiB"_s));

    QSignalSpy current(m_panel.get(), &RecordPanel::currentRecordChanged);
    m_panel->fetchWhole();
    QTRY_COMPARE(column(u"Flags"_s), (QStringList{QString(), QString(), QString()}));
    QCOMPARE(m_broker->fetchRequests().back().maxBytes, 3'000'008);
    const auto chunk = current.last()[0].value<RecordChunkPtr>();
    QCOMPARE(chunk->value(chunk->records().at(size_t(current.last()[1].toInt()))).size(),
             size_t(large.size()));
}

void tst_RecordPanel::wholeRecordOfUnknownSizeIsAskedForFirst()
{
    m_broker->append(u"orders"_s, 0, "a record");
    openPanel();
    m_panel->setMaxBytes(4); // not even its header
    m_panel->goToFirst();
    QTRY_COMPARE(column(u"Flags"_s), QStringList{u"too large"_s});
    const int calls = m_broker->calls(Call::Fetch);
    m_panel->fetchWhole();
    auto *question = m_panel->findChild<QMessageBox *>();
    QVERIFY(question);
    QCOMPARE(m_broker->calls(Call::Fetch), calls);
    for (QAbstractButton *button : question->buttons()) {
        if (question->buttonRole(button) == QMessageBox::AcceptRole)
            button->click();
    }
    QTRY_COMPARE(column(u"Value"_s), QStringList{u"a record"_s});
}

void tst_RecordPanel::cellTooLargeToCopyIsRefused()
{
    m_broker->append(u"orders"_s, 0, QByteArray(kMaxCopyBytes + 1, 'x'));
    openPanel();
    m_panel->setMaxBytes(qint32(2 * kMaxCopyBytes));
    m_panel->goToFirst();
    QTRY_COMPARE(column(u"Flags"_s), QStringList{QString()});
    view()->setCurrentIndex(view()->model()->index(0, view()->model()->columnCount() - 1));
    QGuiApplication::clipboard()->setText(u"before"_s);
    m_panel->copyAs(CopyFormat::Cell);
    QCOMPARE(QGuiApplication::clipboard()->text(), u"before"_s);
    QVERIFY2(status().contains(u"more than 64.0 MiB"_s), qPrintable(status()));
}

void tst_RecordPanel::manyPartitionsAskForSharesAndStillShowLargeRecords()
{
    // 600 kB fit into max bytes, not into a third of it.
    for (qint32 partition = 0; partition < 3; ++partition) {
        m_broker->append(u"orders"_s, partition, "small");
        m_broker->append(u"orders"_s, partition, QByteArray(600'000, 'x'));
        m_broker->append(u"orders"_s, partition, "behind");
    }
    openPanel(std::nullopt);
    QCOMPARE(view()->model()->rowCount(), 9);
    QCOMPARE(m_panel->flaggedCount(), 0);
    QVERIFY(m_broker->fetchRequests().front().maxBytes <= 350'000);
}

void tst_RecordPanel::corruptRecordIsFlaggedAndTheOthersShown()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    m_broker->damage(u"orders"_s, 0, Offset{2}, Damage::Checksum);
    openPanel();
    QCOMPARE(column(u"Offset"_s).size(), 5);
    QCOMPARE(column(u"Flags"_s),
             (QStringList{QString(), QString(), u"bad checksum"_s, QString(), QString()}));
    QVERIFY(column(u"CRC-32C"_s)[2].contains(u'≠'));
    QCOMPARE(m_panel->flaggedCount(), 1);
}

void tst_RecordPanel::damagedLogIsOneRowAndReadingGoesOn()
{
    m_broker->appendMany(u"orders"_s, 0, 40);
    m_broker->damage(u"orders"_s, 0, Offset{7}, Damage::Size);
    openPanel();
    QTRY_COMPARE(view()->model()->rowCount(), 40);
    QCOMPARE(column(u"Flags"_s)[7], u"damaged"_s);
    QCOMPARE(column(u"Value"_s)[8], u"r-8"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::logThatEndsInNothingIsOneRowToItsEnd()
{
    m_broker->appendMany(u"orders"_s, 0, 40);
    for (qint64 offset = 30; offset < 40; ++offset)
        m_broker->damage(u"orders"_s, 0, Offset{offset}, Damage::Missing);
    openPanel();
    QCOMPARE(view()->model()->rowCount(), 31);
    QCOMPARE(column(u"Flags"_s).last(), u"damaged"_s);
    QVERIFY2(column(u"Value"_s).last().contains(u"30 … 39 (10)"_s),
             qPrintable(column(u"Value"_s).last()));
}

void tst_RecordPanel::retentionMeanwhileIsARowSayingSo()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    m_broker->setLogStart(u"orders"_s, 0, Offset{11'800});
    view()->verticalScrollBar()->setValue(0);
    QTRY_COMPARE(column(u"Flags"_s).first(), u"gap"_s);
    QVERIFY2(column(u"Value"_s).first().contains(u"removed by retention"_s),
             qPrintable(column(u"Value"_s).first()));
    QTRY_VERIFY2(header().contains(u"log start 11\u202f800"_s), qPrintable(header()));
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::answersToAnOlderQuestionAreDropped()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    m_broker->block(Call::Fetch);
    m_panel->goTo(u"100"_s);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_panel->goTo(u"11500"_s);
    m_broker->release(Call::Fetch);
    QTRY_COMPARE(currentOffset(), u"11\u202f500"_s);
    QVERIFY(!column(u"Offset"_s).contains(u"100"_s));
}

void tst_RecordPanel::nextFlaggedScansBeyondTheWindow()
{
    m_broker->appendMany(u"orders"_s, 0, 60'000);
    m_broker->damage(u"orders"_s, 0, Offset{55'000}, Damage::Checksum);
    m_broker->damage(u"orders"_s, 0, Offset{200}, Damage::Checksum);
    openPanel();
    m_panel->setMaxBytes(64 * 1024);
    m_panel->previousFlagged();
    QTRY_COMPARE(currentOffset(), u"55\u202f000"_s);
    m_panel->previousFlagged();
    QTRY_COMPARE(currentOffset(), u"200"_s);
    m_panel->previousFlagged();
    QTRY_VERIFY2(status().contains(u"No flagged record"_s), qPrintable(status()));
    m_panel->nextFlagged();
    QTRY_COMPARE(currentOffset(), u"55\u202f000"_s);
    m_panel->nextFlagged();
    QTRY_VERIFY2(status().contains(u"No flagged record"_s), qPrintable(status()));
}

void tst_RecordPanel::scanCanBeCancelled()
{
    m_broker->appendMany(u"orders"_s, 0, 60'000);
    openPanel();
    m_broker->block(Call::Fetch);
    m_panel->previousFlagged();
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    auto *cancel = m_panel->findChild<QToolButton *>(u"cancelButton"_s);
    QVERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 0);
    QVERIFY(!cancel->isVisible());
    QVERIFY2(status().contains(u"Cancelled"_s), qPrintable(status()));
    m_broker->release(Call::Fetch);
}

void tst_RecordPanel::failureIsABannerWithRetryAndNothingIsLost()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->appendMany(u"orders"_s, 0, 2, "new-");
    m_broker->failNext(Call::Fetch, FakeBroker::refusal(4, u"INTERNAL"_s));
    m_panel->refresh();
    QTRY_VERIFY(banner()->isVisible());
    QVERIFY2(banner()->text().contains(u"INTERNAL"_s), qPrintable(banner()->text()));
    QCOMPARE(view()->model()->rowCount(), 5);
    QTest::mouseClick(banner()->findChild<QToolButton *>(u"bannerAction"_s), Qt::LeftButton);
    QTRY_COMPARE(view()->model()->rowCount(), 7);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::olderRecordsComeWithoutAHoleOrNotAtAll()
{
    // The older ones are larger than those shown first: one page of them takes several answers.
    m_broker->appendMany(u"orders"_s, 0, 300, QByteArray(10'000, 'x'));
    m_broker->appendMany(u"orders"_s, 0, 500);
    openPanel();
    QCOMPARE(offsets().first(), 300);
    m_broker->block(Call::Fetch);
    view()->verticalScrollBar()->setValue(0);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    const int calls = m_broker->calls(Call::Fetch);
    m_broker->releaseOne(Call::Fetch);
    QTRY_COMPARE(m_broker->calls(Call::Fetch), calls + 1);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_broker->failNext(Call::Fetch, FakeBroker::refusal(4, u"INTERNAL"_s));
    m_broker->release(Call::Fetch);
    QTRY_VERIFY(banner()->isVisible());
    QCOMPARE(offsets(), upTo(300, 800));

    QTest::mouseClick(banner()->findChild<QToolButton *>(u"bannerAction"_s), Qt::LeftButton);
    QTRY_VERIFY(offsets().first() < 300);
    QCOMPARE(offsets(), upTo(offsets().first(), 800));
}

void tst_RecordPanel::olderRecordsOfAWindowMovedOnAreDropped()
{
    m_broker->appendMany(u"orders"_s, 0, 2000);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    const qint64 first = offsets().first();
    QVERIFY(first > 0);
    m_broker->block(Call::Fetch);
    view()->verticalScrollBar()->setValue(0);
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    view()->scrollToBottom();
    for (int batch = 1; batch <= 5; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 400, QByteArray(100, 'x'));
        QTRY_COMPARE(offsets().last(), 2000 + batch * 400 - 1);
    }
    QVERIFY(offsets().first() > first);
    m_broker->release(Call::Fetch);
    QTRY_VERIFY2(!status().contains(u"Loading"_s), qPrintable(status()));
    QCOMPARE(offsets(), upTo(offsets().first(), 4000));
}

void tst_RecordPanel::lostConnectionIsRetriedByItself()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->setDown(true);
    m_panel->refresh();
    QTRY_VERIFY(banner()->isVisible());
    QCOMPARE(view()->model()->rowCount(), 5);
    m_broker->append(u"orders"_s, 0, "later");
    m_broker->setDown(false);
    QTRY_COMPARE(view()->model()->rowCount(), 6);
    QTRY_VERIFY(!banner()->isVisible());
}

void tst_RecordPanel::tryingAgainGoesWhereOneWanted()
{
    m_broker->appendMany(u"orders"_s, 0, 12'000);
    openPanel();
    // An answer that cannot be understood ends the connection as well; it comes back by itself.
    m_broker->failNext(Call::Fetch, Error::make(ErrorKind::Protocol, u"nonsense"_s));
    m_panel->goTo(u"4000"_s);
    QTRY_COMPARE(currentOffset(), u"4000"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::firstLoadCancelledSaysSoAndIsDoneLater()
{
    m_broker->appendMany(u"orders"_s, 0, 50);
    m_broker->block(Call::Fetch);
    m_panel = std::make_unique<RecordPanel>(m_broker->factory(), SessionConfig());
    m_panel->show();
    QSignalSpy loaded(m_panel.get(), &RecordPanel::loaded);
    m_panel->open(topicInfo(), PartitionId{0}, Offset{20});
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_panel->cancel();
    QCOMPARE(view()->placeholder(), u"Nothing was loaded"_s);
    QVERIFY2(!status().contains(u"Loading"_s), qPrintable(status()));
    m_broker->release(Call::Fetch);
    m_panel->refresh();
    QVERIFY(loaded.wait());
    QCOMPARE(currentOffset(), u"20"_s);
}

void tst_RecordPanel::followCancelledBeforeItBeganIsOff()
{
    m_broker->appendMany(u"orders"_s, 0, 120'000);
    openPanel(0, 0);
    auto *button = m_panel->findChild<QToolButton *>(u"followButton"_s);
    for (const auto &giveUp : {&RecordPanel::cancel, &RecordPanel::nextFlagged}) {
        m_broker->block(Call::ListTopics);
        m_panel->setFollowing(true);
        QVERIFY(button->isChecked());
        (m_panel.get()->*giveUp)();
        QVERIFY(!m_panel->isFollowing());
        QVERIFY(!button->isChecked());
        m_broker->release(Call::ListTopics);
        m_panel->cancel();
    }
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
}

void tst_RecordPanel::followShowsNewRecordsAndPauseLosesNothing()
{
    m_broker->appendMany(u"orders"_s, 0, 50);
    openPanel();
    QTest::mouseClick(m_panel->findChild<QToolButton *>(u"followButton"_s), Qt::LeftButton);
    QVERIFY(m_panel->isFollowing());
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->append(u"orders"_s, 0, "while following");
    QTRY_COMPARE(column(u"Value"_s).last(), u"while following"_s);
    QVERIFY(view()->isAtBottom());

    m_panel->setPaused(true);
    for (int i = 0; i < 20; ++i)
        m_broker->append(u"orders"_s, 0, "paused-" + QByteArray::number(i));
    QTRY_VERIFY2(status().contains(u"behind by 20"_s), qPrintable(status()));
    QCOMPARE(view()->model()->rowCount(), 51);
    m_panel->setPaused(false);
    QTRY_COMPARE(view()->model()->rowCount(), 71);
    QCOMPARE(column(u"Value"_s).last(), u"paused-19"_s);

    m_panel->setFollowing(false);
    QTRY_COMPARE(m_broker->liveFollowers(), 0);
    QCOMPARE(view()->model()->rowCount(), 71);
}

void tst_RecordPanel::followGoesOnBehindWhatRetentionRemoved()
{
    m_broker->appendMany(u"orders"_s, 0, 5);
    openPanel();
    m_broker->block(Call::Follow);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->blocked(Call::Follow), 1);
    m_broker->appendMany(u"orders"_s, 0, 20);
    m_broker->setLogStart(u"orders"_s, 0, Offset{15});
    m_broker->release(Call::Follow);
    QTRY_COMPARE(offsets(), upTo(0, 6) + upTo(15, 25));
    QCOMPARE(column(u"Flags"_s)[5], u"gap"_s);
    QVERIFY2(column(u"Value"_s)[5].contains(u"5 … 14 (10)"_s), qPrintable(column(u"Value"_s)[5]));
    m_broker->append(u"orders"_s, 0, "later");
    QTRY_COMPARE(column(u"Value"_s).last(), u"later"_s);
    QVERIFY(!banner()->isVisible());
}

void tst_RecordPanel::followingWindowStaysWithinItsBudget()
{
    m_broker->appendMany(u"orders"_s, 0, 100);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    int sent = 100;
    for (int batch = 0; batch < 30; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 200, QByteArray(100, 'x'));
        sent += 200;
        QTRY_COMPARE(column(u"Offset"_s).last().remove(QChar(0x202f)).toInt(), sent - 1);
    }
    QVERIFY2(view()->model()->rowCount() < 3000,
             qPrintable(QString::number(view()->model()->rowCount())));
    QVERIFY(view()->isAtBottom());

    // Reading back: what is looked at stays, new records are held back instead.
    view()->verticalScrollBar()->setValue(0);
    const QString top = column(u"Offset"_s).first();
    m_broker->appendMany(u"orders"_s, 0, 5000, QByteArray(100, 'y'));
    QTRY_VERIFY2(status().contains(u"held while you read back"_s), qPrintable(status()));
    QCOMPARE(column(u"Offset"_s).first(), top);
    view()->scrollToBottom();
    QTRY_COMPARE(column(u"Offset"_s).last().remove(QChar(0x202f)).toInt(), sent + 5000 - 1);
}

void tst_RecordPanel::followingFilteredStaysWithinItsBudget()
{
    m_broker->appendMany(u"orders"_s, 0, 100);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_panel->setFilter(u"r-50"_s);
    QCOMPARE(offsets(), QList<qint64>{50});
    for (int batch = 1; batch <= 15; ++batch) {
        m_broker->appendMany(u"orders"_s, 0, 400, QByteArray(100, 'x'));
        QTRY_COMPARE(shown().second, 100 + batch * 400 - 1);
    }
    QVERIFY2(shown().first > 3000, qPrintable(header()));
}

void tst_RecordPanel::filterEndsReadingBackWhenNothingIsLeftToScroll()
{
    m_broker->appendMany(u"orders"_s, 0, 500);
    openPanel();
    m_panel->setByteBudget(200'000);
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    view()->verticalScrollBar()->setValue(0);
    m_broker->appendMany(u"orders"_s, 0, 5000, QByteArray(100, 'y'));
    QTRY_VERIFY2(status().contains(u"held while you read back"_s), qPrintable(status()));
    m_panel->setFilter(u"in no record"_s);
    QTRY_VERIFY2(!status().contains(u"held"_s), qPrintable(status()));
    m_broker->append(u"orders"_s, 0, "last");
    QTRY_COMPARE(shown().second, 5500);
}

void tst_RecordPanel::filterNarrowsTheRowsLoaded()
{
    m_broker->appendMany(u"orders"_s, 0, 300);
    openPanel();
    QTest::keyClicks(m_panel->findChild<QLineEdit *>(u"filterEdit"_s), u"r-29"_s);
    QTRY_COMPARE(column(u"Offset"_s).size(), 11);
    QVERIFY2(status().contains(u"11 of 300"_s), qPrintable(status()));
}

void tst_RecordPanel::copiesValuesAndRows()
{
    m_broker->append(u"orders"_s, 0, "first");
    m_broker->append(u"orders"_s, 0, QByteArray::fromHex("00ff80"));
    openPanel();
    const QClipboard *clipboard = QGuiApplication::clipboard();
    m_panel->copyAs(CopyFormat::Hex);
    QCOMPARE(clipboard->text(), u"00ff80"_s);
    m_panel->copyAs(CopyFormat::Json);
    const QJsonObject object = QJsonDocument::fromJson(clipboard->text().toUtf8()).object();
    QCOMPARE(object[u"offset"_s].toInteger(), 1);
    QCOMPARE(object[u"value"_s][u"data"_s].toString(), u"AP+A"_s); // RFC 4648, section 4
    view()->selectAll();
    m_panel->copyAs(CopyFormat::Hex);
    QCOMPARE(clipboard->text(), u"6669727374\n00ff80"_s);
    m_panel->goToOffset({u"orders"_s, PartitionId{0}}, Offset{0});
    m_panel->copyAs(CopyFormat::Text);
    QCOMPARE(clipboard->text(), u"first"_s);
    m_panel->copyAs(CopyFormat::Cell);
    QCOMPARE(clipboard->text(), u"0"_s);
}

void tst_RecordPanel::recordGoesToTheComposer()
{
    const QByteArray value = QByteArray::fromHex("ff0041");
    m_broker->append(u"orders"_s, 1, value);
    openPanel(1);
    QSignalSpy requested(m_panel.get(), &RecordPanel::copyToComposerRequested);
    m_panel->copyToComposer();
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested[0][0].toByteArray(), value);
    QCOMPARE(requested[0][1].value<TopicPartition>(),
             (TopicPartition{u"orders"_s, PartitionId{1}}));
}

void tst_RecordPanel::destroyedWhileARequestIsBlocked()
{
    m_broker->appendMany(u"orders"_s, 0, 1000);
    openPanel();
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_broker->blockDeaf(Call::Fetch);
    m_panel->previousFlagged();
    QTRY_COMPARE(m_broker->blocked(Call::Fetch), 1);
    m_panel.reset();
    QCOMPARE(m_broker->blocked(Call::Fetch), 1);
    m_broker->release(Call::Fetch);
    QTRY_COMPARE(m_broker->liveSessions(), 0);
    QTRY_COMPARE(m_broker->liveFollowers(), 0);
}

QTEST_MAIN(tst_RecordPanel)
#include "tst_recordpanel.moc"
