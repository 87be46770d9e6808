#include "core/booblik/boobliksession.h"
#include "core/profiles/profilesecrets.h"
#include "tests/support/fakesession.h"
#include "ui/dialogs/connectdialog.h"
#include "ui/dialogs/connectionsdialog.h"
#include "ui/dialogs/doctordialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::Call;
using test::FakeBroker;

namespace
{

template <typename T>
T *child(const QWidget &parent, const QString &name)
{
    T *found = parent.findChild<T *>(name);
    Q_ASSERT(found);
    return found;
}

QString result(const QWidget &dialog)
{
    return child<QLabel>(dialog, u"result"_s)->text();
}

void show(QWidget &widget)
{
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QApplication::setActiveWindow(&widget);
}

} // namespace

class tst_ConnectDialog : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
    }
    void addressIsCheckedWhileTyping_data();
    void addressIsCheckedWhileTyping();
    void allFieldsByKeyboard();
    void fieldsNotAskedForAreKept();
    void testExaminesWhatIsEntered();
    void listAddsEditsTestsRemovesAndConnects();
};

void tst_ConnectDialog::addressIsCheckedWhileTyping_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("endpoint"); // empty: refused
    QTest::newRow("host and port") << u"broker.example:19092"_s << u"broker.example:19092"_s;
    QTest::newRow("host") << u"broker"_s << u"broker:9092"_s;
    QTest::newRow("IPv6") << u"[::1]:19092"_s << u"[::1]:19092"_s;
    QTest::newRow("bare IPv6") << u"::1"_s << u"[::1]:9092"_s;
    QTest::newRow("blanks around") << u" broker:1 "_s << u"broker:1"_s;
    QTest::newRow("Kafka") << u"kafka://broker:1"_s << u"broker:1"_s;
    QTest::newRow("several of Kafka") << u"kafka://a:1,b"_s << u"a:1,b:9092"_s;
    QTest::newRow("Kafka and a path") << u"kafka://broker/x"_s << QString();
    QTest::newRow("nothing") << QString() << QString();
    QTest::newRow("port 0") << u"broker:0"_s << QString();
    QTest::newRow("port 65536") << u"broker:65536"_s << QString();
    QTest::newRow("URL") << u"http://broker"_s << QString();
    QTest::newRow("blank inside") << u"my broker:9092"_s << QString();
}

void tst_ConnectDialog::addressIsCheckedWhileTyping()
{
    QFETCH(QString, typed);
    QFETCH(QString, endpoint);
    FakeBroker broker;
    ConnectDialog dialog({broker.factory()}, ConnectDialog::Purpose::Add);
    show(dialog);
    QTest::keyClicks(child<QLineEdit>(dialog, u"address"_s), typed);
    QCOMPARE(child<QPushButton>(dialog, u"okButton"_s)->isEnabled(), !endpoint.isEmpty());
    QCOMPARE(child<QPushButton>(dialog, u"testButton"_s)->isEnabled(), !endpoint.isEmpty());
    QCOMPARE(result(dialog).isEmpty(), !endpoint.isEmpty() || typed.isEmpty());
    if (!endpoint.isEmpty()) {
        QCOMPARE(dialog.config()->endpoint(), endpoint);
        QCOMPARE(dialog.config()->name, endpoint);
    }
}

void tst_ConnectDialog::allFieldsByKeyboard()
{
    FakeBroker broker;
    ConnectDialog dialog({broker.factory()}, ConnectDialog::Purpose::Connect);
    show(dialog);
    const auto type = [&](const QString &text) { QTest::keyClicks(dialog.focusWidget(), text); };
    const auto press = [&](int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(dialog.focusWidget(), Qt::Key(key), modifiers);
    };
    QCOMPARE(dialog.focusWidget()->objectName(), u"address"_s);
    type(u"[::1]:7"_s);
    press(Qt::Key_Tab);
    type(u"mine"_s);
    press(Qt::Key_Tab);
    QCOMPARE(dialog.focusWidget()->objectName(), u"readOnly"_s);
    press(Qt::Key_Space);
    press(Qt::Key_Tab);
    press(Qt::Key_Space); // not kept
    press(Qt::Key_Tab);   // the tabs: time-outs alone
    press(Qt::Key_Tab);
    QCOMPARE(dialog.focusWidget()->objectName(), u"connectTimeout"_s);
    press(Qt::Key_A, Qt::ControlModifier);
    type(u"1500"_s);
    press(Qt::Key_Return);
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    const SessionConfig config = *dialog.config();
    QCOMPARE(config.endpoint(), u"[::1]:7"_s);
    QCOMPARE(config.name, u"mine"_s);
    QVERIFY(config.readOnly);
    QVERIFY(!dialog.isKept());
    QCOMPARE(config.connectTimeout, 1500ms);
    QCOMPARE(config.requestTimeout, SessionConfig().requestTimeout);
}

void tst_ConnectDialog::fieldsNotAskedForAreKept()
{
    FakeBroker broker;
    SessionConfig config;
    config.name = u"n"_s;
    config.host = u"h"_s;
    config.reconnectMax = 4321ms;
    ConnectDialog dialog({broker.factory()}, ConnectDialog::Purpose::Edit);
    dialog.setConfig(config);
    QCOMPARE(dialog.config(), std::optional(config));
}

void tst_ConnectDialog::testExaminesWhatIsEntered()
{
    FakeBroker broker;
    ConnectDialog dialog({broker.factory()}, ConnectDialog::Purpose::Add);
    show(dialog);
    QTest::keyClicks(child<QLineEdit>(dialog, u"address"_s), u"no-such-host.invalid:7"_s);
    QTest::mouseClick(child<QPushButton>(dialog, u"testButton"_s), Qt::LeftButton);
    const auto *doctor = dialog.findChild<DoctorDialog *>();
    QVERIFY(doctor);
    QVERIFY(doctor->windowTitle().contains(u"no-such-host.invalid:7"_s));
}

void tst_ConnectDialog::listAddsEditsTestsRemovesAndConnects()
{
    QTemporaryDir dir;
    ConnectionStore store(dir.filePath(u"settings.ini"_s));
    FakeBroker broker;
    broker.addTopic(u"orders"_s, 3);
    ProfileSecrets secrets(nullptr);
    ConnectionsDialog dialog(&store, {broker.factory(), nullptr, &secrets});
    show(dialog);
    auto *list = child<QTreeWidget>(dialog, u"connectionList"_s);
    const auto alt = [](QWidget &window, Qt::Key key) {
        QApplication::setActiveWindow(&window); // offscreen nobody does that
        QTest::keyClick(&window, key, Qt::AltModifier);
    };
    QVERIFY(!child<QPushButton>(dialog, u"connectButton"_s)->isEnabled());

    for (const QString &address : {u"first:1"_s, u"second:2"_s}) {
        alt(dialog, Qt::Key_A);
        QTRY_VERIFY(dialog.findChild<ConnectDialog *>()); // a mnemonic clicks with a delay
        auto *add = dialog.findChild<ConnectDialog *>();
        QTest::keyClicks(child<QLineEdit>(*add, u"address"_s), address);
        QTest::keyClick(add, Qt::Key_Return);
        QTRY_VERIFY(!dialog.findChild<ConnectDialog *>());
    }
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(list->currentItem()->text(1), u"second:2"_s);

    alt(dialog, Qt::Key_E);
    QTRY_VERIFY(dialog.findChild<ConnectDialog *>());
    auto *edit = dialog.findChild<ConnectDialog *>();
    child<QCheckBox>(*edit, u"readOnly"_s)->setChecked(true);
    QTest::keyClicks(child<QLineEdit>(*edit, u"name"_s), u"mine"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_VERIFY(!dialog.findChild<ConnectDialog *>());
    QCOMPARE(list->currentItem()->text(0), u"mine"_s);
    QCOMPARE(list->currentItem()->text(2), u"read-only"_s);

    alt(dialog, Qt::Key_T);
    QTRY_VERIFY(dialog.findChild<DoctorDialog *>());
    dialog.findChild<DoctorDialog *>()->reject();
    QTRY_VERIFY(!dialog.findChild<DoctorDialog *>());

    list->setCurrentItem(list->topLevelItem(0));
    alt(dialog, Qt::Key_R);
    QTRY_VERIFY(dialog.findChild<QMessageBox *>());
    auto *question = dialog.findChild<QMessageBox *>();
    alt(*question, Qt::Key_R);
    QTRY_COMPARE(list->topLevelItemCount(), 1);

    QSignalSpy requested(&dialog, &ConnectionsDialog::connectRequested);
    QTest::keyClick(&dialog, Qt::Key_Return);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.at(0).at(0).value<ConnectionStore::Connection>().config,
             store.connections().at(0).config);
    QVERIFY(!dialog.isVisible());
}

QTEST_MAIN(tst_ConnectDialog)
#include "tst_connectdialog.moc"
