// The whole program but main(): the window with its real sessions against a real broker on a real
// socket, used by its widgets as a person would.

#include "core/broker/embeddedbroker.h"
#include "core/sessionfactory.h"
#include "tests/support/startedbroker.h"
#include "tests/ui/windowbench.h"
#include "ui/models/modelroles.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTcpServer>
#include <QTreeWidget>

using namespace topicscope;
using namespace topicscope::ui;
using topicscope::broker::BrokerConfig;
using topicscope::broker::EmbeddedBroker;
using topicscope::test::Call;
using topicscope::test::FakeBroker;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

BrokerConfig brokerConfig(const QString &directory, quint16 port = 0)
{
    BrokerConfig config;
    config.dataDirectory = directory;
    config.port = port;
    config.topics = {{u"orders"_s, 3}, {u"clicks"_s, 1}};
    config.metricsInterval = {};
    return config;
}

SessionConfig sessionConfig(quint16 port)
{
    SessionConfig config;
    config.name = u"test broker"_s;
    config.host = u"127.0.0.1"_s;
    config.port = port;
    return config;
}

} // namespace

class tst_MainWindow final : public test::WindowBench
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();

    void publishedByKeyAppearsAtTheOffsetReported();
    void brokerKilledAndBackLosesNothing();
    void browsingDoesNotMoveTheDraft();
    void draftIsSentWhereItWasComposedFor();
    void wrongPortIsToldOnTheConnectionsRow();
    void readOnlyConnectionIsFramedAndCannotPublish();
    void editedConnectionIsMadeReadOnlyWhileOpen();
    void namesObeyNoMarkup();
    void wantedPlaceIsOpenedAtItsOffset();
    void missingPlaceIsReported();
    void layoutAndPlacesAreRemembered();
    void preferencesApplyToOpenTabsAtOnce();
    void everyShortcutIsUniqueAndListed();
    void destroyedWhileRequestsBlock();
    void aSourceThatIsReadFirstSaysHowFarItIs();

private:
    void compose(const QString &topic, const QString &key, const QString &value);
};

void tst_MainWindow::initTestCase()
{
    WindowBench::initTestCase();
    applyColorScheme(ColorScheme::Light);
}

void tst_MainWindow::init()
{
    WindowBench::init();
    m_settings->setRefreshInterval(1s);
}

void tst_MainWindow::compose(const QString &topic, const QString &key, const QString &value)
{
    child<QComboBox>(u"topicBox"_s)->setEditText(topic);
    auto *mode = child<QComboBox>(u"keyMode"_s);
    const int text = mode->findText(u"text"_s, Qt::MatchFixedString);
    QVERIFY2(text >= 0, "the composer has no way to give a key as text");
    mode->setCurrentIndex(text);
    emit mode->activated(text);
    child<QPlainTextEdit>(u"keyEdit"_s)->setPlainText(key);
    child<QPlainTextEdit>(u"valueEdit"_s)->setPlainText(value);
}

void tst_MainWindow::publishedByKeyAppearsAtTheOffsetReported()
{
    EmbeddedBroker broker(brokerConfig(m_dir->filePath(u"data"_s)));
    const auto port = test::startAndWait(broker);
    QVERIFY(port.ok());
    for (int i = 0; i < 5; ++i)
        broker.append({u"orders"_s, PartitionId{2}}, QByteArray::number(i));

    showWindow(defaultSessionFactory());
    m_window->connectTo(sessionConfig(*port));
    QTRY_VERIFY(state().startsWith(u"Connected to test broker"_s));
    openTopic(u"orders"_s, 2);
    QTRY_COMPARE(values(), QStringList({u"0"_s, u"1"_s, u"2"_s, u"3"_s, u"4"_s}));
    child<QAction>(u"followAction"_s)->trigger();
    QTRY_VERIFY(child<QAction>(u"followAction"_s)->isChecked());

    // FNV-1a of order-42 is 0x572446f4; mod 3 that is partition 2.
    compose(u"orders"_s, u"order-42"_s, u"{\"id\":42}"_s);
    auto *publish = child<QPushButton>(u"publishButton"_s);
    QTRY_VERIFY(publish->isEnabled());
    publish->click();

    QTRY_COMPARE(values().size(), 6);
    QCOMPARE(values().last(), u"{\"id\":42}"_s);
    const auto *log = child<QTableView>(u"publishLogTable"_s);
    QCOMPARE(log->model()->rowCount(), 1);
    const auto cell = [log](const QString &header) {
        for (int column = 0; column < log->model()->columnCount(); ++column) {
            if (log->model()->headerData(column, Qt::Horizontal).toString() == header)
                return log->model()->index(0, column).data().toString();
        }
        return QString();
    };
    QTRY_COMPARE(cell(u"Offset"_s), u"5"_s);
    QCOMPARE(cell(u"Partition"_s), u"2"_s);
    // The tree follows by itself.
    QTRY_COMPARE_WITH_TIMEOUT(treeRow(u"orders"_s, 2).siblingAtColumn(1).data().toString(), u"6"_s,
                              10'000);
}

void tst_MainWindow::brokerKilledAndBackLosesNothing()
{
    const QString data = m_dir->filePath(u"data"_s);
    auto broker = std::make_unique<EmbeddedBroker>(brokerConfig(data));
    const auto port = test::startAndWait(*broker);
    QVERIFY(port.ok());
    broker->append({u"clicks"_s, PartitionId{0}}, QByteArrayLiteral("before"));

    showWindow(defaultSessionFactory());
    m_window->connectTo(sessionConfig(*port));
    openTopic(u"clicks"_s, 0);
    QTRY_COMPARE(values(), QStringList(u"before"_s));
    child<QAction>(u"followAction"_s)->trigger();
    compose(u"clicks"_s, u"k"_s, u"composed"_s);

    broker.reset();
    QTRY_VERIFY_WITH_TIMEOUT(state().contains(u"lost"_s), 15'000);
    QVERIFY(treeRow(u"clicks"_s, 0).isValid()); // what was known stays
    QCOMPARE(values(), QStringList(u"before"_s));
    QCOMPARE(child<QPlainTextEdit>(u"valueEdit"_s)->toPlainText(), u"composed"_s);

    broker = std::make_unique<EmbeddedBroker>(brokerConfig(data, *port));
    QVERIFY(test::startAndWait(*broker).ok());
    broker->append({u"clicks"_s, PartitionId{0}}, QByteArrayLiteral("after"));
    QTRY_VERIFY_WITH_TIMEOUT(state().startsWith(u"Connected"_s), 15'000);
    QTRY_COMPARE_WITH_TIMEOUT(values(), QStringList({u"before"_s, u"after"_s}), 15'000);
    auto *publish = child<QPushButton>(u"publishButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(publish->isEnabled(), 15'000);
    publish->click();
    QTRY_COMPARE_WITH_TIMEOUT(values(), QStringList({u"before"_s, u"after"_s, u"composed"_s}),
                              15'000);
}

void tst_MainWindow::browsingDoesNotMoveTheDraft()
{
    m_broker.addTopic(u"clicks"_s, 1);
    m_broker.addTopic(u"orders"_s, 1);
    showWindow();
    m_window->connectTo(sessionConfig(1));
    openTopic(u"orders"_s, 0);
    QCOMPARE(child<QComboBox>(u"topicBox"_s)->currentText(), u"orders"_s);
    child<QPlainTextEdit>(u"valueEdit"_s)->setPlainText(u"for orders"_s);
    openTopic(u"clicks"_s, 0);
    QCOMPARE(child<QComboBox>(u"topicBox"_s)->currentText(), u"orders"_s);
    child<QPlainTextEdit>(u"valueEdit"_s)->clear();
    openTopic(u"orders"_s, 0);
    openTopic(u"clicks"_s, 0);
    QCOMPARE(child<QComboBox>(u"topicBox"_s)->currentText(), u"clicks"_s);
}

void tst_MainWindow::draftIsSentWhereItWasComposedFor()
{
    FakeBroker staging;
    staging.addTopic(u"orders"_s, 1);
    FakeBroker production;
    production.addTopic(u"orders"_s, 1);
    production.addTopic(u"payments"_s, 1);
    showWindow(
        [first = staging.factory(), second = production.factory()](const SessionConfig &config) {
            return config.port == 1 ? first(config) : second(config);
        });
    SessionConfig config = sessionConfig(1);
    config.name = u"staging"_s;
    m_window->connectTo(config);
    openTopic(u"orders"_s, 0);
    compose(u"orders"_s, u"k"_s, u"for staging"_s);
    config = sessionConfig(2);
    config.name = u"production"_s;
    m_window->connectTo(config);
    openTopic(u"payments"_s, 0);
    QCOMPARE(state(), u"Connected to production, 127.0.0.1:2"_s);
    QCOMPARE(child<QLabel>(u"targetConnection"_s)->text(), u"staging"_s);

    auto *publish = child<QPushButton>(u"publishButton"_s);
    QTRY_VERIFY(publish->isEnabled());
    publish->click();
    QTRY_COMPARE(staging.values(u"orders"_s, 0), QByteArrayList{"for staging"});
    // The log leads to the record, whatever is looked at meanwhile.
    auto *goTo = child<QWidget>(u"publishLogPanel"_s)->findChild<QAction *>(u"goToAction"_s);
    QTRY_VERIFY(goTo->isEnabled());
    goTo->trigger();
    QCOMPARE(state(), u"Connected to staging, 127.0.0.1:1"_s);
    QTRY_COMPARE(values(), QStringList(u"for staging"_s));
    QCOMPARE(production.calls(Call::Publish), 0);
}

void tst_MainWindow::wrongPortIsToldOnTheConnectionsRow()
{
    QTcpServer unused;
    QVERIFY(unused.listen(QHostAddress::LocalHost));
    const quint16 port = unused.serverPort();
    unused.close();
    showWindow(defaultSessionFactory());
    m_window->connectTo(sessionConfig(port));
    QTRY_VERIFY(state().contains(u"Nothing listens there"_s));
    const auto *tree = child<TopicTreeView>(u"topicTree"_s);
    QVERIFY(tree->model()
                ->index(0, 0)
                .data(TopicTreeModel::NoteRole)
                .toString()
                .contains(u"Nothing listens there"_s));
    QVERIFY(child<QWidget>(u"noTopicOpen"_s)->isVisible());
}

void tst_MainWindow::readOnlyConnectionIsFramedAndCannotPublish()
{
    m_broker.addTopic(u"orders"_s, 1);
    showWindow();
    SessionConfig config = sessionConfig(1);
    const ConnectionId writable = m_window->connectTo(config);
    QTRY_VERIFY(state().startsWith(u"Connected"_s));
    auto *mark = child<QWidget>(u"readOnlyMark"_s);
    QVERIFY(!mark->isVisible());
    QVERIFY(m_window->contentsMargins().isNull());

    config.readOnly = true;
    QVERIFY(m_window->connectTo(config) != writable);
    QTRY_VERIFY(mark->isVisible());
    QVERIFY(m_window->contentsMargins().left() > 0);
    QVERIFY(m_window->windowTitle().contains(u"read-only"_s));
    QTRY_VERIFY(state().startsWith(u"Connected"_s));
    compose(u"orders"_s, u"k"_s, u"v"_s);
    QVERIFY(!child<QPushButton>(u"publishButton"_s)->isEnabled());
    QCOMPARE(m_broker.calls(Call::Publish), 0);
}

void tst_MainWindow::editedConnectionIsMadeReadOnlyWhileOpen()
{
    m_broker.addTopic(u"orders"_s, 2);
    const QString id = m_store->add(sessionConfig(1)).value();
    showWindow();
    m_window->connectTo(m_store->byId(id)->config);
    openTopic(u"orders"_s, 1);
    compose(u"orders"_s, u"k"_s, u"v"_s);
    const auto *publish = child<QPushButton>(u"publishButton"_s);
    QTRY_VERIFY(publish->isEnabled());

    SessionConfig config = m_store->byId(id)->config;
    config.readOnly = true;
    QVERIFY(m_store->update(id, config).ok());
    QTRY_VERIFY(child<QWidget>(u"readOnlyMark"_s)->isVisible());
    QVERIFY(!publish->isEnabled());
    QCOMPARE(child<QPlainTextEdit>(u"valueEdit"_s)->toPlainText(), u"v"_s);
    // The old session is gone, and what was open is open again.
    const auto *tabs = child<QTabWidget>(u"recordTabs"_s);
    QTRY_COMPARE(tabs->count(), 1);
    const auto *panel = qobject_cast<RecordPanel *>(tabs->widget(0));
    QCOMPARE(panel->topic(), u"orders"_s);
    QCOMPARE(panel->partition(), PartitionId{1});
    QTRY_VERIFY(panel->isLoaded());
    QCOMPARE(child<TopicTreeView>(u"topicTree"_s)->model()->rowCount(), 1);
    QTRY_COMPARE(m_broker.liveSessions(), 2); // the window's and the tab's
}

void tst_MainWindow::namesObeyNoMarkup()
{
    m_broker.addTopic(u"<b>orders</b>"_s, 1);
    showWindow();
    SessionConfig config = sessionConfig(1);
    config.name = u"<h1>big</h1>"_s;
    m_window->connectTo(config);
    openTopic(u"<b>orders</b>"_s, 0);
    const QString tip = child<QTabWidget>(u"recordTabs"_s)->tabToolTip(0);
    QVERIFY2(!tip.contains(u"<b>"_s) && !tip.contains(u"<h1>"_s), qPrintable(tip));
    for (const QLabel *label : m_window->findChildren<QLabel *>()) {
        QVERIFY2(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()),
                 qPrintable(label->text()));
        QVERIFY2(!label->toolTip().contains(u"<h1>"_s), qPrintable(label->toolTip()));
    }
}

void tst_MainWindow::wantedPlaceIsOpenedAtItsOffset()
{
    m_broker.addTopic(u"orders"_s, 2);
    m_broker.appendMany(u"orders"_s, 1, 3000);
    showWindow();
    QSignalSpy opened(m_window.get(), &MainWindow::placeOpened);
    m_window->connectTo(sessionConfig(1), {{{}, u"orders"_s, PartitionId{1}, Offset{1234}}});
    QTRY_COMPARE(opened.count(), 1);
    const auto *table = child<QTableView>(u"recordTable"_s);
    QTRY_VERIFY(table->currentIndex().isValid());
    const QModelIndex value =
        table->currentIndex().siblingAtColumn(table->model()->columnCount() - 1);
    QCOMPARE(value.data().toString(), u"r-1234"_s);
}

void tst_MainWindow::missingPlaceIsReported()
{
    m_broker.addTopic(u"orders"_s, 2);
    showWindow();
    QSignalSpy failed(m_window.get(), &MainWindow::placeFailed);
    m_window->connectTo(sessionConfig(1),
                        {{{}, u"odrers"_s, {}, {}}, {{}, u"orders"_s, PartitionId{2}, {}}});
    QTRY_COMPARE(failed.count(), 2);
    QVERIFY(failed.at(0).at(0).toString().contains(u"odrers"_s));
    QVERIFY(failed.at(1).at(0).toString().contains(u"partition 2"_s));
    QCOMPARE(child<QTabWidget>(u"recordTabs"_s)->count(), 0);
}

void tst_MainWindow::layoutAndPlacesAreRemembered()
{
    m_broker.addTopic(u"orders"_s, 2);
    showWindow();
    m_window->connectTo(sessionConfig(1));
    openTopic(u"orders"_s, 0);
    openTopic(u"orders"_s, 1);
    child<QDockWidget>(u"inspectorDock"_s)->hide();
    child<QTableView>(u"publishLogTable"_s)->setColumnWidth(1, 173);
    child<TopicTreeView>(u"topicTree"_s)->setColumnWidth(1, 91);
    m_window->close();
    const std::vector<Place> expected{{u"test broker"_s, u"orders"_s, PartitionId{0}, {}},
                                      {u"test broker"_s, u"orders"_s, PartitionId{1}, {}}};
    QCOMPARE(m_settings->places(), expected);

    showWindow();
    QVERIFY(child<QDockWidget>(u"inspectorDock"_s)->isHidden());
    QCOMPARE(child<QTableView>(u"publishLogTable"_s)->columnWidth(1), 173);
    QCOMPARE(child<TopicTreeView>(u"topicTree"_s)->columnWidth(1), 91);
    QVERIFY(child<QDockWidget>(u"topicsDock"_s)->isVisible());
    child<QAction>(u"resetLayoutAction"_s)->trigger();
    QVERIFY(child<QDockWidget>(u"inspectorDock"_s)->isVisible());
}

void tst_MainWindow::preferencesApplyToOpenTabsAtOnce()
{
    constexpr int kRecordBytes = 100'000;
    m_broker.addTopic(u"orders"_s, 1);
    for (int i = 0; i < 200; ++i)
        m_broker.append(u"orders"_s, 0, QByteArray(kRecordBytes, 'x'));
    showWindow();
    m_window->connectTo(sessionConfig(1));
    openTopic(u"orders"_s, 0);
    const auto *table = child<QTableView>(u"recordTable"_s);
    const auto rows = [table] { return table->model()->rowCount(); };
    const auto scrolledTo = [&](int wanted) {
        table->verticalScrollBar()->setValue(0);
        return rows() >= wanted;
    };
    QTRY_VERIFY_WITH_TIMEOUT(scrolledTo(80), 30'000); // many megabytes

    child<QAction>(u"preferencesAction"_s)->trigger();
    auto *dialog = child<QDialog>(u"preferencesDialog"_s);
    child<QSpinBox>(u"heldEdit"_s)->setValue(4);
    child<QSpinBox>(u"maxBytesEdit"_s)->setValue(64);
    auto *colors = child<QComboBox>(u"colorsBox"_s);
    colors->setCurrentIndex(colors->findText(u"Dark"_s));
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY2(rows() <= 4 * 1024 * 1024 / kRecordBytes + 20,
                 qPrintable(QString::number(rows())));
    QVERIFY(isDark(QGuiApplication::palette()));
    for (const QAction *action : m_window->findChildren<QAction *>()) {
        if (action->text() == u"&Dark"_s)
            QVERIFY(action->isChecked());
    }
    // 100 kB are more than 64 KiB.
    child<QAction>(u"goToFirstAction"_s)->trigger();
    QTRY_COMPARE(table->model()->index(0, 1).data().toString(), u"too large"_s);
    QCOMPARE(m_settings->heldBytes(), qint64(4) * 1024 * 1024);

    child<QAction>(u"preferencesAction"_s)->trigger();
    dialog = child<QDialog>(u"preferencesDialog"_s);
    dialog->findChild<QSpinBox *>(u"maxBytesEdit"_s)->setValue(4096);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QCOMPARE(m_settings->maxBytes(), 65'536);
    applyColorScheme(ColorScheme::Light);
}

void tst_MainWindow::everyShortcutIsUniqueAndListed()
{
    showWindow();
    QStringList keys;
    QList<QAction *> open = m_window->menuBar()->actions();
    while (!open.isEmpty()) {
        const QAction *action = open.takeFirst();
        if (action->menu()) {
            open << action->menu()->actions();
            continue;
        }
        QVERIFY2(action->isSeparator() || !action->text().isEmpty(), "an action without a text");
        for (const QKeySequence &key : action->shortcuts()) {
            QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
            keys << key.toString();
        }
    }
    QVERIFY(keys.size() > 20);

    child<QAction>(u"shortcutsAction"_s)->trigger();
    const auto *list = child<QTreeWidget>(u"shortcutList"_s);
    QString listed;
    QStringList paths;
    for (QTreeWidgetItemIterator each(list->topLevelItem(0)); *each; ++each) {
        listed += (*each)->text(1) + u", "_s;
        QString path = (*each)->text(0);
        for (const QTreeWidgetItem *above = (*each)->parent(); above; above = above->parent())
            path.prepend(above->text(0) + u" > "_s);
        paths << path;
    }
    for (const QString &key : keys)
        QVERIFY2(listed.contains(key), qPrintable(key));
    QVERIFY(paths.contains(u"File > Export"_s));
    QVERIFY(paths.contains(u"Connection > Refresh Automatically > Every Minute"_s));
}

void tst_MainWindow::destroyedWhileRequestsBlock()
{
    m_broker.addTopic(u"orders"_s, 1);
    m_broker.appendMany(u"orders"_s, 0, 10);
    showWindow();
    m_window->connectTo(sessionConfig(1));
    openTopic(u"orders"_s, 0);
    child<QAction>(u"followAction"_s)->trigger();
    QTRY_COMPARE(m_broker.liveFollowers(), 1);
    m_broker.blockDeaf(Call::ListTopics);
    m_broker.blockDeaf(Call::Fetch);
    m_broker.blockDeaf(Call::Publish);
    compose(u"orders"_s, u"k"_s, u"v"_s);
    auto *publish = child<QPushButton>(u"publishButton"_s);
    QTRY_VERIFY(publish->isEnabled());
    publish->click();
    child<QAction>(u"refreshAction"_s)->trigger();
    QTRY_VERIFY(m_broker.blocked(Call::Publish) + m_broker.blocked(Call::ListTopics) +
                    m_broker.blocked(Call::Fetch) >=
                2);
    m_window.reset();
    // Nothing was waited for: the calls are still blocked.
    QVERIFY(m_broker.blocked(Call::Publish) + m_broker.blocked(Call::Fetch) +
                m_broker.blocked(Call::ListTopics) >=
            2);
    for (const Call call : {Call::Publish, Call::Fetch, Call::ListTopics})
        m_broker.release(call);
    QTRY_COMPARE(m_broker.liveSessions(), 0);
    QTRY_COMPARE(m_broker.liveFollowers(), 0);
}

void tst_MainWindow::aSourceThatIsReadFirstSaysHowFarItIs()
{
    m_broker.setReading(42);
    m_broker.block(Call::Open);
    openWindow();
    QTRY_COMPARE(state(), u"Reading test broker: 42 %"_s);
    const QAbstractItemModel &tree = *child<TopicTreeView>(u"topicTree"_s)->model();
    const auto note = [&tree] {
        return tree.index(0, 0).data(TopicTreeModel::NoteRole).toString();
    };
    QCOMPARE(note(), u"reading: 42 %"_s);
    m_broker.release(Call::Open);
    QTRY_VERIFY2(state().startsWith(u"Connected to test broker"_s), qPrintable(state()));
    QVERIFY(!note().contains(u"reading"_s));

    child<QAction>(u"disconnectAction"_s)->trigger();
    m_broker.block(Call::Open);
    m_window->connectTo(config());
    QTRY_COMPARE(state(), u"Reading test broker: 42 %"_s);
    child<QAction>(u"disconnectAction"_s)->trigger();
    QCOMPARE(state(), u"Not connected"_s);
    QTRY_COMPARE(m_broker.liveSessions(), 0); // it is given up, not waited for
}

QTEST_MAIN(tst_MainWindow)
#include "tst_mainwindow.moc"
