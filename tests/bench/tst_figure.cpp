#include "tests/bench/figure.h"

#include <QTest>

using namespace topicscope;
using namespace topicscope::bench;

class tst_Figure : public QObject
{
    Q_OBJECT
private slots:
    void medianIsTheMiddle();
    void lineHasFiveFields_data();
    void lineHasFiveFields();
    void comparesMedians();
    void errorEndsTheComparison();
};

void tst_Figure::medianIsTheMiddle()
{
    QCOMPARE(median({7}), 7.0);
    QCOMPARE(median({9, 1, 5}), 5.0);
    QCOMPARE(median({1, 100, 2, 4}), 3.0);
}

void tst_Figure::lineHasFiveFields_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("large") << 12'345'678.4 << 0.954 << QByteArray("f\t12345678\tms\t0.95\tx y");
    QTest::newRow("middle") << 12.34 << 1.0 << QByteArray("f\t12.3\tms\t1.00\tx y");
    QTest::newRow("small") << 0.756 << 12.0 << QByteArray("f\t0.76\tms\t12.00\tx y");
}

void tst_Figure::lineHasFiveFields()
{
    QFETCH(double, value);
    QFETCH(double, ratio);
    const Benchmark benchmark{"f", "ms", "x y", {}};
    QTEST(formatted(benchmark, {value, ratio}), "line");
    QVERIFY(formatted({"f", "ms", "-", {}}, {value, std::nullopt}).endsWith("\tms\t-\t-"));
}

void tst_Figure::comparesMedians()
{
    std::vector<double> ours{30, 10, 20};
    std::vector<double> theirs{400, 10, 40};
    size_t a = 0;
    size_t b = 0;
    const auto figure = comparedInTurn(
        3, [&]() -> Result<double> { return ours[a++]; },
        [&]() -> Result<double> { return theirs[b++]; });
    QCOMPARE(figure->value, 20.0);
    QCOMPARE(figure->ratio, std::optional(0.5));
}

void tst_Figure::errorEndsTheComparison()
{
    int calls = 0;
    const auto figure = comparedInTurn(
        3,
        [&]() -> Result<double> {
            ++calls;
            return 1.0;
        },
        [&]() -> Result<double> {
            ++calls;
            return Error::make(ErrorKind::Network, {});
        });
    QVERIFY(!figure);
    QCOMPARE(calls, 2);
}

QTEST_APPLESS_MAIN(tst_Figure)
#include "tst_figure.moc"
