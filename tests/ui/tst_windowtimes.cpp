// One setting says how times are written and read, all over the window.

#include "core/records/timestyle.h"
#include "tests/ui/windowbench.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_WindowTimes final : public WindowBench
{
    Q_OBJECT
private slots:
    void zoneCountsForWhatIsShownAndTyped();
    void zoneNobodyKnowsCannotBeChosen();
    void cleanup()
    {
        WindowBench::cleanup();
        TimeStyle::setCurrent({});
    }

private:
    void openTimed();
    void chooseZone(const QString &typed);
    QString cell(int row, const QString &column) const;
};

/// orders/0 has a record each second from 2026-07-01 12:00 UTC on.
void tst_WindowTimes::openTimed()
{
    Capabilities capabilities = FakeBroker::booblikCapabilities();
    capabilities.timestamps = true;
    capabilities.offsetsByTime = true;
    m_broker.setCapabilities(capabilities);
    m_broker.addTopic(u"orders"_s, 1);
    m_broker.appendMany(u"orders"_s, 0, 100);
    QList<qint64> times;
    for (int i = 0; i < 100; ++i)
        times << 1'782'907'200'000 + i * 1000;
    m_broker.setTimes(u"orders"_s, 0, times);
    openWindow();
    openTopic(u"orders"_s, 0);
}

/// By keyboard: the dialog's box, what is typed, Enter.
void tst_WindowTimes::chooseZone(const QString &typed)
{
    child<QAction>(u"preferencesAction"_s)->trigger();
    auto *dialog = child<QDialog>(u"preferencesDialog"_s);
    auto *box = dialog->findChild<QComboBox *>(u"timeZoneBox"_s);
    box->lineEdit()->selectAll();
    QTest::keyClicks(box, typed);
    dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
}

QString tst_WindowTimes::cell(int row, const QString &column) const
{
    const QAbstractItemModel &model = *panel()->findChild<QTableView *>(u"recordTable"_s)->model();
    for (int section = 0; section < model.columnCount(); ++section) {
        if (model.headerData(section, Qt::Horizontal).toString() == column)
            return model.index(row, section).data().toString();
    }
    return {};
}

void tst_WindowTimes::zoneCountsForWhatIsShownAndTyped()
{
    openTimed();
    QCOMPARE(cell(0, u"Time"_s), u"2026-07-01 12:00:00.000Z"_s);
    chooseZone(u"Europe/Berlin"_s);
    QCOMPARE(cell(0, u"Time"_s), u"2026-07-01 14:00:00.000+02:00"_s);
    QCOMPARE(m_settings->timeStyle().name(), u"Europe/Berlin"_s);
    QCOMPARE(child<QComboBox>(u"timeMode"_s)->itemText(1), u"Europe/Berlin"_s);
    panel()->goTo(u"@2026-07-01 14:00:30"_s);
    const auto *view = panel()->findChild<QTableView *>(u"recordTable"_s);
    QTRY_COMPARE(view->currentIndex().siblingAtColumn(0).data().toString(), u"30"_s);

    chooseZone(u"Milliseconds since 1970"_s);
    QCOMPARE(cell(0, u"Time"_s), u"1782907200000"_s);
    panel()->goTo(u"@1782907240000"_s);
    QTRY_COMPARE(view->currentIndex().siblingAtColumn(0).data().toString(), u"40"_s);
}

void tst_WindowTimes::zoneNobodyKnowsCannotBeChosen()
{
    openTimed();
    child<QAction>(u"preferencesAction"_s)->trigger();
    auto *dialog = child<QDialog>(u"preferencesDialog"_s);
    auto *ok = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    auto *box = dialog->findChild<QComboBox *>(u"timeZoneBox"_s);
    box->setEditText(u"Europe/Atlantis"_s);
    QVERIFY(!ok->isEnabled());
    box->setEditText(u"asia/kolkata"_s); // as it is in the list
    QVERIFY(ok->isEnabled());
    ok->click();
    QCOMPARE(cell(0, u"Time"_s), u"2026-07-01 17:30:00.000+05:30"_s);
}

QTEST_MAIN(tst_WindowTimes)
#include "tst_windowtimes.moc"
