#include "ui/theme/palette.h"

#include <QApplication>
#include <QTest>

using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_Palette : public QObject
{
    Q_OBJECT
private slots:
    void contrastRatioIsTheOneOfWcag_data();
    void contrastRatioIsTheOneOfWcag();
    void everyTextIsReadable_data();
    void everyTextIsReadable();
    void schemeIsApplied();
};

void tst_Palette::contrastRatioIsTheOneOfWcag_data()
{
    // Published ratios (WebAIM's contrast checker).
    QTest::addColumn<QColor>("a");
    QTest::addColumn<QColor>("b");
    QTest::addColumn<double>("ratio");
    QTest::newRow("black on white") << QColor(Qt::black) << QColor(Qt::white) << 21.0;
    QTest::newRow("same") << QColor(0x12, 0x34, 0x56) << QColor(0x12, 0x34, 0x56) << 1.0;
    QTest::newRow("777 on white") << QColor(0x77, 0x77, 0x77) << QColor(Qt::white) << 4.48;
    QTest::newRow("white on 767676") << QColor(Qt::white) << QColor(0x76, 0x76, 0x76) << 4.54;
    QTest::newRow("red on white") << QColor(0xff, 0, 0) << QColor(Qt::white) << 4.0;
}

void tst_Palette::contrastRatioIsTheOneOfWcag()
{
    QFETCH(QColor, a);
    QFETCH(QColor, b);
    QFETCH(double, ratio);
    QVERIFY2(std::abs(contrastRatio(a, b) - ratio) < 0.01,
             qPrintable(QString::number(contrastRatio(a, b))));
}

void tst_Palette::everyTextIsReadable_data()
{
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("background");
    const auto add = [](const QString &name, const QColor &text, const QColor &background) {
        QTest::newRow(qPrintable(name)) << text << background;
    };
    for (const QPalette &palette : {lightPalette(), darkPalette()}) {
        const QString scheme = isDark(palette) ? u"dark "_s : u"light "_s;
        const auto color = [&](QPalette::ColorRole role) { return palette.color(role); };
        for (const auto background :
             {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button}) {
            const QString on = u" on role %1"_s.arg(int(background));
            for (const Tone tone :
                 {Tone::Normal, Tone::Muted, Tone::Accent, Tone::Good, Tone::Warning, Tone::Danger})
                add(scheme + u"tone %1"_s.arg(int(tone)) + on, toneColor(tone, palette),
                    color(background));
        }
        for (const Tone tone : {Tone::Accent, Tone::Good, Tone::Warning, Tone::Danger}) {
            add(scheme + u"own fill %1"_s.arg(int(tone)), toneColor(tone, palette),
                toneFill(tone, palette));
            add(scheme + u"text on fill %1"_s.arg(int(tone)), color(QPalette::Text),
                toneFill(tone, palette));
        }
        add(scheme + u"selection"_s, color(QPalette::HighlightedText), color(QPalette::Highlight));
        add(scheme + u"tool tip"_s, color(QPalette::ToolTipText), color(QPalette::ToolTipBase));
        add(scheme + u"link"_s, color(QPalette::Link), color(QPalette::Base));
    }
}

void tst_Palette::everyTextIsReadable()
{
    QFETCH(QColor, text);
    QFETCH(QColor, background);
    const double ratio = contrastRatio(text, background);
    QVERIFY2(ratio >= 4.5,
             qPrintable(
                 u"%1 on %2 has %3:1"_s.arg(text.name(), background.name()).arg(ratio, 0, 'f', 2)));
}

void tst_Palette::schemeIsApplied()
{
    applyColorScheme(ColorScheme::Dark);
    QVERIFY(isDark(QApplication::palette()));
    applyColorScheme(ColorScheme::Light);
    QVERIFY(!isDark(QApplication::palette()));
    applyColorScheme(ColorScheme::Dark);
    applyColorScheme(ColorScheme::System); // the offscreen platform's palette is a light one
    QVERIFY(!isDark(QApplication::palette()));
}

QTEST_MAIN(tst_Palette)
#include "tst_palette.moc"
