#include "core/base/digits.h"

#include <QTest>

#include <limits>

using namespace topicscope;
using namespace Qt::StringLiterals;

class tst_Digits : public QObject
{
    Q_OBJECT
private slots:
    void groupsOfThreeFromFiveDigitsOn_data();
    void groupsOfThreeFromFiveDigitsOn();
};

void tst_Digits::groupsOfThreeFromFiveDigitsOn_data()
{
    QTest::addColumn<qint64>("number");
    QTest::addColumn<QString>("text"); // a comma stands for U+202F
    QTest::newRow("zero") << qint64(0) << u"0"_s;
    QTest::newRow("four digits") << qint64(9999) << u"9999"_s;
    QTest::newRow("five digits") << qint64(10000) << u"10,000"_s;
    QTest::newRow("six digits") << qint64(123456) << u"123,456"_s;
    QTest::newRow("negative four") << qint64(-1234) << u"-1234"_s;
    QTest::newRow("negative six") << qint64(-123456) << u"-123,456"_s;
    QTest::newRow("largest") << std::numeric_limits<qint64>::max()
                             << u"9,223,372,036,854,775,807"_s;
    QTest::newRow("smallest") << std::numeric_limits<qint64>::min()
                              << u"-9,223,372,036,854,775,808"_s;
}

void tst_Digits::groupsOfThreeFromFiveDigitsOn()
{
    QFETCH(qint64, number);
    QFETCH(QString, text);
    QCOMPARE(groupedDigits(number), text.replace(u',', QChar(0x202f)));
}

QTEST_APPLESS_MAIN(tst_Digits)
#include "tst_digits.moc"
