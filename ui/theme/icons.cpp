#include "ui/theme/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <array>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr std::array kFileNames{
    "add",      "broker",     "clock",    "close",    "connect", "copy",      "corrupt",
    "download", "edit",       "file",     "filter",   "flag",    "follow",    "gap",
    "gofirst",  "golast",     "goto",     "inspect",  "offline", "oversized", "partition",
    "pause",    "publish",    "readonly", "refresh",  "remove",  "search",    "settings",
    "topic",    "topicscope", "unknown",  "verified", "warning",
};
static_assert(kFileNames.size() == size_t(IconName::Warning) + 1);

class IconEngine final : public QIconEngine
{
public:
    IconEngine(IconName name, Tone tone)
        : m_name(name)
        , m_tone(tone)
    {
    }

    QIconEngine *clone() const override { return new IconEngine(m_name, m_tone); }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        QFile file(u":/icons/%1.svg"_s.arg(QLatin1StringView(kFileNames.at(size_t(m_name)))));
        if (!file.open(QIODevice::ReadOnly))
            return;
        QByteArray svg = file.readAll();
        svg.replace("currentColor", color(mode).name().toLatin1());
        QSvgRenderer renderer(svg);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(painter, rect);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        const QString key = u"topicscope-icon/%1/%2/%3x%4"_s.arg(int(m_name))
                                .arg(color(mode).name())
                                .arg(size.width())
                                .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({}, size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

private:
    QColor color(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (mode == QIcon::Selected)
            return palette.color(QPalette::HighlightedText);
        return toneColor(m_tone, palette);
    }

    IconName m_name;
    Tone m_tone;
};

} // namespace

QIcon icon(IconName name, Tone tone)
{
    return QIcon(new IconEngine(name, tone));
}

} // namespace topicscope::ui
