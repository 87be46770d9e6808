#include "ui/theme/icons.h"

#include <QApplication>
#include <QPixmap>
#include <QTest>

using namespace topicscope::ui;

namespace
{

/// Pixels of exactly this colour, opaque.
int pixelsOf(const QImage &image, const QColor &color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    }
    return count;
}

} // namespace

class tst_Icons : public QObject
{
    Q_OBJECT
private slots:
    void everyNameIsDrawn();
    void iconFollowsThePalette();
    void iconIsDrawnAtTheDevicesResolution();
    void selectedAndDisabledHaveTheirOwnColor();
};

void tst_Icons::everyNameIsDrawn()
{
    applyColorScheme(ColorScheme::Light);
    QList<QImage> seen;
    for (int i = 0; i <= int(IconName::Warning); ++i) {
        const QImage image = icon(IconName(i)).pixmap(QSize(32, 32), 1.0).toImage();
        QImage empty(image.size(), image.format());
        empty.fill(Qt::transparent);
        QVERIFY2(image != empty, qPrintable(QString::number(i)));
        QVERIFY2(!seen.contains(image), qPrintable(QString::number(i)));
        seen.append(image);
    }
}

void tst_Icons::iconFollowsThePalette()
{
    const QIcon remove = icon(IconName::Remove);
    applyColorScheme(ColorScheme::Light);
    const QColor lightText = QApplication::palette().color(QPalette::Text);
    QVERIFY(pixelsOf(remove.pixmap(QSize(64, 64), 1.0).toImage(), lightText) > 50);
    applyColorScheme(ColorScheme::Dark);
    const QColor darkText = QApplication::palette().color(QPalette::Text);
    QVERIFY(darkText != lightText);
    const QImage image = remove.pixmap(QSize(64, 64), 1.0).toImage();
    QVERIFY(pixelsOf(image, darkText) > 50);
    QCOMPARE(pixelsOf(image, lightText), 0);
}

void tst_Icons::iconIsDrawnAtTheDevicesResolution()
{
    applyColorScheme(ColorScheme::Light);
    const QPixmap pixmap = icon(IconName::Refresh).pixmap(QSize(16, 16), 2.0);
    QCOMPARE(pixmap.size(), QSize(32, 32));
    QCOMPARE(pixmap.devicePixelRatio(), 2.0);
    const QImage direct = icon(IconName::Refresh).pixmap(QSize(32, 32), 1.0).toImage();
    QImage drawn = pixmap.toImage();
    drawn.setDevicePixelRatio(1.0);
    QCOMPARE(drawn, direct); // drawn anew, not blown up from 16 pixels
}

void tst_Icons::selectedAndDisabledHaveTheirOwnColor()
{
    applyColorScheme(ColorScheme::Light);
    const QPalette palette = QApplication::palette();
    const QIcon remove = icon(IconName::Remove, Tone::Danger);
    const QSize size(64, 64);
    QVERIFY(pixelsOf(remove.pixmap(size, 1.0).toImage(), toneColor(Tone::Danger, palette)) > 50);
    QVERIFY(pixelsOf(remove.pixmap(size, 1.0, QIcon::Selected).toImage(),
                     palette.color(QPalette::HighlightedText)) > 50);
    QVERIFY(pixelsOf(remove.pixmap(size, 1.0, QIcon::Disabled).toImage(),
                     palette.color(QPalette::Disabled, QPalette::ButtonText)) > 50);
}

QTEST_MAIN(tst_Icons)
#include "tst_icons.moc"
