// The window by keys alone: from one place to the next, and each dialog from its key to its end.

#include "core/sessionfactory.h"
#include "tests/ui/windowbench.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/dialogs/exportdialog.h"
#include "ui/dialogs/publishfiledialog.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QTabBar>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowKeyboard final : public WindowBench
{
    Q_OBJECT
private slots:
    void init();

    void rangesAreGoneTo();
    void flaggedRecordsAreWalkedThrough();
    void rowsAreFilteredAndShownAgain();
    void cellsAreFilteredForInTheMenu();
    void formatsAreChosenInTheMenu();
    void searchLeadsToHitsAndLedger();
    void twoRecordsAreCompared();
    void recordsAreExportedAndTheFileIsOpened();
    void aFileIsPublished();
    void selectedRecordsAreRedriven();
    void everyEntryOfAMenuHasALetterOfItsOwn();

private:
    /// To whatever has the keys: an open menu, the field with the focus, or the window.
    static void press(int key, Qt::KeyboardModifiers modifiers = {});
    static void type(const QString &text);
    template <typename Dialog>
    Dialog *opened() const;
    void closeByKey(QDialog *open) const;
    QTableView *table() const { return panel()->findChild<QTableView *>(u"recordTable"_s); }
    QString currentOffset() const
    {
        return table()->currentIndex().siblingAtColumn(0).data().toString();
    }
    static QString status(const QWidget *dialog)
    {
        return dialog->findChild<QLabel *>(u"status"_s)->text();
    }
};

void tst_WindowKeyboard::press(int key, Qt::KeyboardModifiers modifiers)
{
    QWidget *target = QApplication::activePopupWidget();
    if (!target)
        target = QApplication::focusWidget();
    QVERIFY(target);
    QTest::keyClick(target, Qt::Key(key), modifiers);
}

void tst_WindowKeyboard::type(const QString &text)
{
    QVERIFY(QApplication::focusWidget());
    press(Qt::Key_A, Qt::ControlModifier); // in place of what stands there
    QTest::keyClicks(QApplication::focusWidget(), text);
}

template <typename Dialog>
Dialog *tst_WindowKeyboard::opened() const
{
    const auto find = [this] { return m_window->findChild<Dialog *>(); };
    if (!QTest::qWaitFor([&] { return find() && find()->isActiveWindow(); }))
        qFatal("no dialog");
    return find();
}

void tst_WindowKeyboard::closeByKey(QDialog *open) const
{
    const QPointer<QDialog> dialog(open);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
    m_window->activateWindow(); // the window manager does
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void tst_WindowKeyboard::init()
{
    WindowBench::init();
    m_broker.addTopic(u"orders"_s, 1);
    m_broker.appendMany(u"orders"_s, 0, 100);
    m_broker.addTopic(u"damaged"_s, 1);
    m_broker.appendMany(u"damaged"_s, 0, 100);
    for (const qint64 offset : {30, 60})
        m_broker.damage(u"damaged"_s, 0, Offset{offset}, Damage::Checksum);
    m_broker.addTopic(u"replay"_s, 1);
    showWindow([broker = m_broker.factory()](const SessionConfig &config) {
        return config.engine == Engine::File ? defaultSessionFactory()(config) : broker(config);
    });
    m_window->connectTo(config());
    WindowBench::openTopic(u"orders"_s, 0);
}

void tst_WindowKeyboard::rangesAreGoneTo()
{
    press(Qt::Key_G, Qt::ControlModifier);
    type(u"10:20"_s);
    press(Qt::Key_Return);
    QTRY_COMPARE(table()->selectionModel()->selectedRows().size(), 10);
    press(Qt::Key_2, Qt::ControlModifier);
    QVERIFY(table()->hasFocus());
    press(Qt::Key_Home, Qt::ControlModifier);
    QTRY_COMPARE(currentOffset(), u"0"_s);
    press(Qt::Key_End, Qt::ControlModifier);
    QTRY_COMPARE(currentOffset(), u"99"_s);
}

void tst_WindowKeyboard::flaggedRecordsAreWalkedThrough()
{
    WindowBench::openTopic(u"damaged"_s, 0);
    QTRY_COMPARE(currentOffset(), u"99"_s);
    press(Qt::Key_F8, Qt::ShiftModifier);
    QTRY_COMPARE(currentOffset(), u"60"_s);
    press(Qt::Key_F8, Qt::ShiftModifier);
    QTRY_COMPARE(currentOffset(), u"30"_s);
    press(Qt::Key_F8);
    QTRY_COMPARE(currentOffset(), u"60"_s);
}

void tst_WindowKeyboard::rowsAreFilteredAndShownAgain()
{
    press(Qt::Key_F, Qt::ControlModifier);
    type(u"offset >= 98"_s);
    QTRY_COMPARE(values(), QStringList({u"r-98"_s, u"r-99"_s}));
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_Delete);
    QTRY_COMPARE(values().size(), 100);
}

void tst_WindowKeyboard::cellsAreFilteredForInTheMenu()
{
    press(Qt::Key_Up);
    const int last = table()->model()->columnCount() - 1;
    while (table()->currentIndex().column() < last)
        press(Qt::Key_Right);
    press(Qt::Key_R, Qt::AltModifier);
    press(Qt::Key_C);
    QTRY_COMPARE(values(), QStringList{u"r-98"_s});
    QVERIFY(table()->hasFocus());
}

void tst_WindowKeyboard::formatsAreChosenInTheMenu()
{
    press(Qt::Key_V, Qt::AltModifier);
    press(Qt::Key_V);
    const auto current = [] {
        const auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        return menu && menu->activeAction() ? menu->activeAction()->text() : QString();
    };
    for (int i = 0; i < 20 && current() != u"hex"_s; ++i)
        press(Qt::Key_Down);
    QCOMPARE(current(), u"hex"_s);
    press(Qt::Key_Return);
    QTRY_COMPARE(values().last(), u"722d3939"_s); // r-99
}

void tst_WindowKeyboard::searchLeadsToHitsAndLedger()
{
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(u"r-42"_s);
    press(Qt::Key_Return);
    auto *hits = child<QTableView>(u"hitTable"_s);
    QTRY_COMPARE(hits->model()->rowCount(), 1);
    for (int i = 0; i < 10 && !hits->hasFocus(); ++i)
        press(Qt::Key_Tab);
    QVERIFY(hits->hasFocus());
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_COMPARE(currentOffset(), u"42"_s);
    QTRY_VERIFY(table()->hasFocus());
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    const auto *tabs = child<QTabWidget>(u"searchTabs"_s);
    for (int i = 0; i < 10 && !tabs->tabBar()->hasFocus(); ++i)
        press(Qt::Key_Tab);
    QVERIFY(tabs->tabBar()->hasFocus());
    press(Qt::Key_Right);
    press(Qt::Key_Tab);
    QVERIFY(child<QTableView>(u"ledgerTable"_s)->hasFocus());
}

void tst_WindowKeyboard::twoRecordsAreCompared()
{
    press(Qt::Key_Up, Qt::ShiftModifier);
    press(Qt::Key_D, Qt::ControlModifier);
    auto *dialog = opened<CompareDialog>();
    const auto *tabs = dialog->findChild<QTabBar *>();
    const QString first = tabs->tabText(tabs->currentIndex());
    press(Qt::Key_B, Qt::AltModifier);
    QVERIFY(tabs->tabText(tabs->currentIndex()) != first);
    QCOMPARE(tabs->tabText(tabs->currentIndex()).remove(u'&'), u"Bytes"_s);
    closeByKey(dialog);
}

void tst_WindowKeyboard::recordsAreExportedAndTheFileIsOpened()
{
    const QString path = m_dir->filePath(u"two.ndjson"_s);
    press(Qt::Key_Up, Qt::ShiftModifier);
    press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    auto *dialog = opened<ExportDialog>();
    press(Qt::Key_T, Qt::AltModifier);
    type(path);
    press(Qt::Key_E, Qt::AltModifier);
    QTRY_VERIFY2(status(dialog).contains(u"records: 2,"_s), qPrintable(status(dialog)));
    closeByKey(dialog);

    press(Qt::Key_O, Qt::ControlModifier);
    opened<QFileDialog>();
    press(Qt::Key_N, Qt::AltModifier);
    type(path);
    press(Qt::Key_Return);
    QTRY_VERIFY(m_window->windowTitle().contains(u"two.ndjson"_s));
    QTRY_COMPARE(values(), QStringList({u"r-98"_s, u"r-99"_s}));
}

void tst_WindowKeyboard::aFileIsPublished()
{
    QFile file(m_dir->filePath(u"values.txt"_s)); // by its name: lines
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("one\ntwo\n");
    file.close();
    press(Qt::Key_F, Qt::AltModifier);
    press(Qt::Key_P);
    auto *dialog = opened<PublishFileDialog>();
    press(Qt::Key_F, Qt::AltModifier);
    type(file.fileName());
    press(Qt::Key_T, Qt::AltModifier);
    press(Qt::Key_End);
    press(Qt::Key_C, Qt::AltModifier);
    QTRY_VERIFY(dialog->findChild<QPushButton *>(u"publishButton"_s)->isEnabled());
    press(Qt::Key_P, Qt::AltModifier);
    QTRY_COMPARE(m_broker.values(u"replay"_s, 0), QList<QByteArray>({"one", "two"}));
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2,"_s), qPrintable(status(dialog)));
    closeByKey(dialog);
}

void tst_WindowKeyboard::selectedRecordsAreRedriven()
{
    press(Qt::Key_Up, Qt::ShiftModifier);
    press(Qt::Key_R, Qt::AltModifier);
    press(Qt::Key_L);
    const auto *dialog = opened<PublishFileDialog>();
    press(Qt::Key_T, Qt::AltModifier);
    press(Qt::Key_End);
    press(Qt::Key_C, Qt::AltModifier);
    QTRY_VERIFY(dialog->findChild<QPushButton *>(u"publishButton"_s)->isEnabled());
    press(Qt::Key_Space); // it has the focus now; Enter would only check again
    QTRY_COMPARE(m_broker.values(u"replay"_s, 0), QList<QByteArray>({"r-98", "r-99"}));
    QTRY_VERIFY2(status(dialog).startsWith(u"Published: 2,"_s), qPrintable(status(dialog)));
}

void tst_WindowKeyboard::everyEntryOfAMenuHasALetterOfItsOwn()
{
    QList<QList<QAction *>> menus{m_window->menuBar()->actions(), table()->actions()};
    for (qsizetype i = 0; i < menus.size(); ++i) {
        QMap<QString, QString> taken;
        for (const QAction *action : QList(menus[i])) {
            if (action->menu())
                menus += action->menu()->actions();
            const QString letter = QKeySequence::mnemonic(action->text()).toString();
            if (letter.isEmpty())
                continue;
            QVERIFY2(!taken.contains(letter),
                     qPrintable(u"%1 %2 %3"_s.arg(letter, taken[letter], action->text())));
            taken.insert(letter, action->text());
        }
    }
    QVERIFY(menus.size() > 15);
}

QTEST_MAIN(tst_WindowKeyboard)
#include "tst_windowkeyboard.moc"
