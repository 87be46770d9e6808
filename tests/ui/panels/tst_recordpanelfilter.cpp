#include "tests/ui/panels/recordbench.h"

#include <QAction>

namespace topicscope::test
{

/// The filter of a record panel: one language, or text; what is hidden is counted.
class tst_RecordPanelFilter final : public RecordBench
{
    Q_OBJECT

private slots:
    void expressionsFilterAndHiddenRowsAreCounted();
    void whatIsNoExpressionIsTextAndSaidToBe();
    void whatCannotBeDecidedAtOnceStays();
    void followingIsFilteredAndCounted();
    void cellsAreFilteredForAndOut();
    void cellsWithoutAWordAreSaid();

private:
    QLineEdit *edit() const { return m_panel->findChild<QLineEdit *>(u"filterEdit"_s); }
    QAction *action(const QString &text) const
    {
        for (QAction *each : view()->actions()) {
            if (each->text().remove(u'&') == text)
                return each;
        }
        qFatal("no action %s", qPrintable(text));
    }
    void select(qint64 offset, const QString &title)
    {
        const QAbstractItemModel &model = *view()->model();
        for (int column = 0; column < model.columnCount(); ++column) {
            if (model.headerData(column, Qt::Horizontal).toString() == title)
                view()->setCurrentIndex(model.index(int(offsets().indexOf(offset)), column));
        }
    }
};

void tst_RecordPanelFilter::expressionsFilterAndHiddenRowsAreCounted()
{
    m_broker->appendMany(u"orders"_s, 0, 300);
    openPanel();
    QTest::keyClicks(edit(), u"value ends 7 and offset < 30 or \"r-299\""_s);
    QTRY_COMPARE(offsets(), (QList<qint64>{7, 17, 27, 299}));
    QTRY_COMPARE(status(), u"Filter: 4 of 300 rows loaded, 296 hidden"_s);
    edit()->clear();
    QTRY_COMPARE(offsets().size(), 300);
    QTRY_VERIFY2(!status().contains(u"Filter"_s), qPrintable(status()));
}

void tst_RecordPanelFilter::whatIsNoExpressionIsTextAndSaidToBe()
{
    m_broker->append(u"orders"_s, 0, R"({"id":42,"a b":"x=y"})");
    m_broker->append(u"orders"_s, 0, R"({"id":421})");
    m_broker->append(u"orders"_s, 0, "other");
    openPanel();
    m_panel->setFilter(u"{\"id\":42,"_s);
    QTRY_COMPARE(offsets(), QList<qint64>{0});
    QTRY_VERIFY2(
        status().startsWith(u"Filter: 1 of 3 rows loaded, 2 hidden · taken as text: Column 2: "_s),
        qPrintable(status()));
    m_panel->setFilter(u"  "_s);
    QCOMPARE(offsets().size(), 3);
}

void tst_RecordPanelFilter::whatCannotBeDecidedAtOnceStays()
{
    m_broker->append(u"orders"_s, 0, "aab");
    m_broker->append(u"orders"_s, 0, QByteArray(3000, 'a')); // runs away
    m_broker->append(u"orders"_s, 0, "c");
    openPanel();
    m_panel->setFilter(u"value =~ /(a+)+[bd]/"_s);
    QTRY_COMPARE(offsets(), (QList<qint64>{0, 1}));
}

void tst_RecordPanelFilter::followingIsFilteredAndCounted()
{
    m_broker->appendMany(u"orders"_s, 0, 10);
    openPanel();
    m_panel->setFollowing(true);
    QTRY_COMPARE(m_broker->liveFollowers(), 1);
    m_panel->setFilter(u"value starts paid"_s);
    QTRY_COMPARE(offsets(), QList<qint64>{});
    m_broker->append(u"orders"_s, 0, "paid 1");
    m_broker->append(u"orders"_s, 0, "open 2");
    m_broker->append(u"orders"_s, 0, "paid 3");
    QTRY_COMPARE(offsets(), (QList<qint64>{10, 12}));
    QTRY_VERIFY2(status().contains(u"received 3 · Filter: 2 of 13 rows loaded, 11 hidden"_s),
                 qPrintable(status()));
}

void tst_RecordPanelFilter::cellsAreFilteredForAndOut()
{
    for (const char *value : {"a", "b", "a", "c", "bb"})
        m_broker->append(u"orders"_s, 0, value);
    openPanel();
    select(0, u"Value"_s);
    action(u"Filter out this"_s)->trigger();
    QCOMPARE(edit()->text(), u"not (value == \"a\")"_s);
    QTRY_COMPARE(offsets(), (QList<qint64>{1, 3, 4}));
    select(3, u"Size"_s);
    action(u"Filter for this"_s)->trigger();
    QCOMPARE(edit()->text(), u"not (value == \"a\") and size == 1"_s);
    QTRY_COMPARE(offsets(), (QList<qint64>{1, 3}));

    // Text that is no expression stays what it was.
    edit()->setText(u"b\"b or"_s);
    m_panel->setFilter({}); // all rows, to choose from
    select(4, u"Offset"_s);
    action(u"Filter for this"_s)->trigger();
    QCOMPARE(edit()->text(), u"(\"b\\\"b or\") and offset == 4"_s);

    QSignalSpy wanted(m_panel.get(), &RecordPanel::searchRequested);
    edit()->clear();
    m_panel->setFilter({});
    select(1, u"Value"_s);
    action(u"Search for this"_s)->trigger();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toString(), u"value == \"b\""_s);
}

void tst_RecordPanelFilter::cellsWithoutAWordAreSaid()
{
    m_broker->append(u"orders"_s, 0, QByteArray(20'000, 'x'));
    openPanel();
    select(0, u"Value"_s);
    action(u"Filter for this"_s)->trigger();
    QCOMPARE(edit()->text(), QString());
    QVERIFY2(status().startsWith(u"Value: one cannot filter"_s), qPrintable(status()));
}

} // namespace topicscope::test

QTEST_MAIN(topicscope::test::tst_RecordPanelFilter)
#include "tst_recordpanelfilter.moc"
