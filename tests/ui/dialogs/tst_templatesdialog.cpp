#include "ui/dialogs/templatesdialog.h"

#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// The templates kept, by keyboard.
class tst_TemplatesDialog : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m_dialog.reset(); }

    void whatIsInOneIsShown();
    void aDeletedOneComesBack();
    void theOneDeletedDoesNotReplaceAnother();

private:
    template <typename Widget>
    Widget *child(const QString &name) const
    {
        auto *found = m_dialog->findChild<Widget *>(name);
        if (!found)
            qFatal("no %s", qPrintable(name));
        return found;
    }
    QString chosen() const
    {
        const QListWidgetItem *item = child<QListWidget>(u"templateList"_s)->currentItem();
        return item ? item->text() : QString();
    }
    QString content() const { return child<QLabel>(u"contentLabel"_s)->text(); }
    QString message() const { return child<QLabel>(u"messageLabel"_s)->text(); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<TemplateStore> m_store;
    std::unique_ptr<TemplatesDialog> m_dialog;
};

void tst_TemplatesDialog::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<TemplateStore>(m_dir->filePath(u"templates.json"_s));
    QVERIFY(m_store->save(u"a"_s, {QByteArray("order-7"), QByteArray("paid"), {}, {}}));
    QVERIFY(m_store->save(u"b"_s, {QByteArray(), std::nullopt, {{"h", QByteArray("1")}}, {}}));
    QVERIFY(m_store->save(u"c"_s, {std::nullopt, QByteArray(""), {}, {}}));
    m_dialog = std::make_unique<TemplatesDialog>(m_store.get());
    m_dialog->show();
    QApplication::setActiveWindow(m_dialog.get()); // offscreen nobody does that
    QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    child<QListWidget>(u"templateList"_s)->setFocus();
}

void tst_TemplatesDialog::whatIsInOneIsShown()
{
    QCOMPARE(content(), u"Key order-7 · value paid"_s);
    auto *list = child<QListWidget>(u"templateList"_s);
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(content(), u"Key empty · headers: 1 · value null"_s);
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(content(), u"Key null · value empty"_s);
}

void tst_TemplatesDialog::aDeletedOneComesBack()
{
    auto *list = child<QListWidget>(u"templateList"_s);
    auto *undo = child<QPushButton>(u"undoButton"_s);
    QVERIFY(!undo->isEnabled());
    const RecordContent before = m_store->content(u"b"_s).value();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(m_store->names(), (QStringList{u"a"_s, u"c"_s}));
    QCOMPARE(message(), u"“b” is deleted."_s);
    QCOMPARE(chosen(), u"c"_s); // its neighbour, not the first
    QTest::keyClick(m_dialog.get(), Qt::Key_N, Qt::AltModifier);
    QTRY_COMPARE(message(), u"“b” is back."_s); // a mnemonic clicks with a delay
    QCOMPARE(m_store->content(u"b"_s).value(), before);
    QCOMPARE(chosen(), u"b"_s);
    QVERIFY(!undo->isEnabled());
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(list->count(), 0);
    QCOMPARE(content(), u"There are no templates."_s);
    QVERIFY(!child<QPushButton>(u"useButton"_s)->isEnabled());
    undo->click();
    QCOMPARE(m_store->names(), QStringList{u"a"_s});
}

void tst_TemplatesDialog::theOneDeletedDoesNotReplaceAnother()
{
    auto *list = child<QListWidget>(u"templateList"_s);
    QTest::keyClick(list, Qt::Key_Delete);
    QVERIFY(m_store->save(u"a"_s, {QByteArray("another"), {}, {}, {}})); // as another window may
    child<QPushButton>(u"undoButton"_s)->click();
    QCOMPARE(m_store->content(u"a"_s)->key, "another");
    QCOMPARE(message(), u"There is another template “a” now."_s);
}

QTEST_MAIN(tst_TemplatesDialog)
#include "tst_templatesdialog.moc"
