#include "ui/theme/palette.h"
#include "ui/theme/style.h"

#include <QImage>
#include <QPainter>
#include <QStyleOption>
#include <QTest>

#include <algorithm>

using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// What cannot be seen cannot be clicked.
class tst_Style : public QObject
{
    Q_OBJECT
private slots:
    void edgesCanBeSeen_data();
    void edgesCanBeSeen();
};

void tst_Style::edgesCanBeSeen_data()
{
    QTest::addColumn<int>("element");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("focus");
    for (const bool dark : {false, true}) {
        for (const bool focus : {false, true}) {
            const auto add = [&](const char *name, QStyle::PrimitiveElement element) {
                QTest::addRow("%s, %s%s", name, dark ? "dark" : "light", focus ? ", focus" : "")
                    << int(element) << dark << focus;
            };
            add("check box", QStyle::PE_IndicatorCheckBox);
            add("list", QStyle::PE_Frame);
            add("line edit", QStyle::PE_FrameLineEdit);
        }
    }
}

void tst_Style::edgesCanBeSeen()
{
    QFETCH(const int, element);
    QFETCH(const bool, dark);
    QFETCH(const bool, focus);
    QStyleOptionFrame frame;
    frame.lineWidth = 1;
    QStyleOptionButton box; // each draws nothing but by its own kind
    QStyleOption &option =
        element == QStyle::PE_IndicatorCheckBox ? static_cast<QStyleOption &>(box) : frame;
    option.rect = QRect(2, 2, 20, 20);
    option.palette = dark ? darkPalette() : lightPalette();
    option.state = QStyle::State_Enabled | QStyle::State_Off;
    option.state.setFlag(QStyle::State_HasFocus, focus);
    QImage image(24, 24, QImage::Format_RGB32);
    const QColor window = option.palette.color(QPalette::Window);
    image.fill(window);
    QPainter painter(&image);
    Style().drawPrimitive(QStyle::PrimitiveElement(element), &option, &painter, nullptr);
    painter.end();
    double contrast = 1;
    for (int x = 0; x < 8; ++x) // the left edge, in the middle of its height
        contrast = std::max(contrast, contrastRatio(image.pixelColor(x, 12), window));
    QVERIFY2(contrast > 1.5, qPrintable(u"%1"_s.arg(contrast)));
}

QTEST_MAIN(tst_Style)
#include "tst_style.moc"
