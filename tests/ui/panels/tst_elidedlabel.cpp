#include "ui/panels/elidedlabel.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QTest>

using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_ElidedLabel : public QObject
{
    Q_OBJECT
private slots:
    void whatFitsIsOneLine();
    void noMoreLinesThanThereIsRoomFor_data();
    void noMoreLinesThanThereIsRoomFor();
    void brokenBetweenWords();
};

void tst_ElidedLabel::whatFitsIsOneLine()
{
    QCOMPARE(breakLines(u"a few words"_s, QGuiApplication::font(), 1000, 2),
             QStringList(u"a few words"_s));
    QCOMPARE(breakLines({}, QGuiApplication::font(), 1000, 2), QStringList(QString()));
}

void tst_ElidedLabel::noMoreLinesThanThereIsRoomFor_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("ragged")
        << u"05:29:25 Nothing listens there. (127.0.0.1:9555) Check the port, and "
           "whether the broker is running."_s;
    QTest::newRow("no blanks") << QString(400, u'x');
    QTest::newRow("long words") << u"a "_s + QString(100, u'b') + u' ' + QString(100, u'c');
}

void tst_ElidedLabel::noMoreLinesThanThereIsRoomFor()
{
    QFETCH(QString, text);
    const QFontMetrics metrics(QGuiApplication::font());
    for (int width = 120; width < 400; width += 7) {
        const QStringList lines = breakLines(text, QGuiApplication::font(), width, 2);
        QCOMPARE(lines.size(), 2);
        for (const QString &line : lines)
            QVERIFY(metrics.horizontalAdvance(line) <= width);
        QString shown = lines.last();
        if (shown.endsWith(u'…')) {
            shown.chop(1);
            QVERIFY(metrics.horizontalAdvance(lines.last()) > width / 2);
        } else {
            QVERIFY(text.endsWith(shown));
        }
        QVERIFY(text.startsWith(lines.first()));
        QVERIFY(text.contains(shown));
    }
}

void tst_ElidedLabel::brokenBetweenWords()
{
    const int width = QFontMetrics(QGuiApplication::font()).horizontalAdvance(u"one two"_s) + 1;
    QCOMPARE(breakLines(u"one two three fourth"_s, QGuiApplication::font(), width, 3),
             QStringList({u"one two"_s, u"three"_s, u"fourth"_s}));
}

QTEST_MAIN(tst_ElidedLabel)
#include "tst_elidedlabel.moc"
