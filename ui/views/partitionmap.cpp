#include "ui/views/partitionmap.h"

#include "core/base/digits.h"
#include "ui/plaintooltip.h"
#include "ui/theme/palette.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace topicscope::ui
{

namespace
{

constexpr int kStripWidth = 22;
constexpr int kStripBeside = 16; ///< of several partitions
constexpr int kMostWidth = 96;
constexpr int kHeldWidth = 2; ///< the mark of what the table holds, at a strip's left
constexpr int kHitWidth = 8;  ///< of a hit's mark, at a strip's right
constexpr int kTickSpacing = 64;

double share(qint64 part, qint64 whole)
{
    return whole > 0 ? std::clamp(double(part) / double(whole), 0.0, 1.0) : 0;
}

} // namespace

PartitionMap::PartitionMap(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Map of the log"));
}

void PartitionMap::setProfiles(const Profiles *profiles)
{
    m_profiles = profiles;
    updateGeometry();
    update();
}

void PartitionMap::setTimeText(TimeText text)
{
    m_timeText = std::move(text);
    updateGeometry();
    update();
}

void PartitionMap::setHeld(std::map<PartitionId, std::pair<Offset, Offset>> held)
{
    if (held == m_held)
        return;
    m_held = std::move(held);
    update();
}

void PartitionMap::setHits(std::shared_ptr<const MarkedOffsets> hits)
{
    m_hits = std::move(hits);
    update();
}

QSize PartitionMap::minimumSizeHint() const
{
    return {sizeHint().width(), 60};
}

bool PartitionMap::showsTimes() const
{
    return m_timeText && m_profiles && m_profiles->size() == 1;
}

QSize PartitionMap::sizeHint() const
{
    const auto count = m_profiles ? int(m_profiles->size()) : 1;
    if (count <= 1) {
        const int times =
            showsTimes() ? fontMetrics().horizontalAdvance(QStringLiteral("00:00")) + 6 : 0;
        return {kStripWidth + times, 200};
    }
    return {std::min(count * kStripBeside, kMostWidth), 200};
}

std::vector<PartitionMap::Strip> PartitionMap::strips() const
{
    std::vector<Strip> all;
    if (!m_profiles || m_profiles->empty())
        return all;
    qint64 longest = 1;
    for (const auto &[id, profile] : *m_profiles)
        longest = std::max(longest, profile.end() - profile.begin());
    const int left = showsTimes() ? width() - kStripWidth : 0;
    const double each = double(width() - left) / double(m_profiles->size());
    double x = left;
    for (const auto &[id, profile] : *m_profiles) {
        const int begin = int(std::round(x));
        x += each;
        const qint64 length = profile.end() - profile.begin();
        // Whatever is there keeps a pixel.
        const int height =
            length > 0 ? std::max(1, int(share(length, longest) * double(this->height()))) : 0;
        const int gap = each >= 3 ? 1 : 0;
        const int right = int(std::round(x));
        all.push_back({&profile, id, QRect(begin, 0, right - begin - gap, height), right});
    }
    return all;
}

Offset PartitionMap::offsetAt(const Strip &strip, int y) const
{
    const PartitionProfile &profile = *strip.profile;
    const qint64 length = profile.end() - profile.begin();
    const double part =
        std::clamp(double(y - strip.rect.top()) / std::max(strip.rect.height(), 1), 0.0, 1.0);
    // The largest lengths are more than a double can tell from one that does not fit.
    return profile.begin() + (part >= 1 ? length : qint64(double(length) / 2 * part) * 2);
}

int PartitionMap::yOf(const Strip &strip, Offset offset)
{
    const PartitionProfile &profile = *strip.profile;
    const double part = share(offset - profile.begin(), profile.end() - profile.begin());
    return strip.rect.top() +
           std::min(int(part * strip.rect.height()), std::max(strip.rect.height() - 1, 0));
}

std::optional<RecordAxis::Place> PartitionMap::placeAt(const QPoint &point) const
{
    const auto all = strips();
    for (const Strip &strip : all) {
        // Below its end is its end; times belong to the only strip.
        const bool inside =
            all.size() == 1 || (point.x() >= strip.rect.left() && point.x() < strip.right);
        if (!inside || strip.profile->begin() == strip.profile->end())
            continue;
        return RecordAxis::Place{strip.id,
                                 std::min(offsetAt(strip, point.y()), strip.profile->end() + -1)};
    }
    return std::nullopt;
}

QRect PartitionMap::rectOf(PartitionId partition, Offset offset) const
{
    for (const Strip &strip : strips()) {
        if (strip.id == partition)
            return {strip.rect.left(), yOf(strip, offset), strip.rect.width(), 1};
    }
    return {};
}

/// Sizes differ by orders of magnitude: their logarithms between the smallest and the largest; and
/// of that the root, so that one giant leaves the others a shape.
double PartitionMap::Peaks::share(qint64 bytes) const
{
    if (bytes <= 0)
        return 0;
    constexpr double kLeast = 0.15; // a record is seen to be there
    const double range = std::log(double(largest) / double(smallest));
    const double part = range > 0 ? std::log(double(bytes) / double(smallest)) / range : 0;
    return kLeast + (1 - kLeast) * std::sqrt(std::clamp(part, 0.0, 1.0));
}

PartitionMap::Peaks PartitionMap::peaksOf(const std::vector<Strip> &strips)
{
    Peaks peaks;
    for (const Strip &strip : strips) {
        for (qint64 i = 0; i < strip.profile->bucketCount(); ++i) {
            const qint64 peak = strip.profile->bucket(i).peakBytes;
            if (peak <= 0)
                continue;
            peaks.smallest = peaks.smallest == 0 ? peak : std::min(peaks.smallest, peak);
            peaks.largest = std::max(peaks.largest, peak);
        }
    }
    // Records of about one size are no peaks.
    constexpr qint64 kLeastRange = 16;
    if (peaks.smallest <= std::numeric_limits<qint64>::max() / kLeastRange)
        peaks.largest = std::max(peaks.largest, peaks.smallest * kLeastRange);
    return peaks;
}

void PartitionMap::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const auto all = strips();
    const Peaks peaks = peaksOf(all);
    for (const Strip &strip : all)
        paintStrip(painter, strip, peaks);
    if (showsTimes() && !all.empty())
        paintTimes(painter, all.front());
}

void PartitionMap::paintStrip(QPainter &painter, const Strip &strip, const Peaks &peaks) const
{
    const PartitionProfile &profile = *strip.profile;
    const QRect &rect = strip.rect;
    if (rect.isEmpty())
        return;
    const QColor unknown = palette().color(QPalette::AlternateBase);
    painter.fillRect(rect, unknown);
    QColor density = palette().color(QPalette::Text);
    QColor peak = toneColor(Tone::Accent, palette());
    peak.setAlphaF(0.5F);
    const int room = std::max(rect.width() - kHeldWidth, 1);
    for (int y = rect.top(); y <= rect.bottom(); ++y) {
        const auto seen = profile.between(offsetAt(strip, y),
                                          std::max(offsetAt(strip, y + 1), offsetAt(strip, y) + 1));
        if (seen.offsetsSeen == 0)
            continue;
        density.setAlphaF(float(0.06 + 0.24 * share(seen.records, seen.offsetsSeen)));
        painter.fillRect(QRect(rect.right() + 1 - room, y, room, 1), density);
        const double size = peaks.share(seen.peakBytes);
        painter.fillRect(QRect(rect.right() + 1 - room, y, int(size * room), 1), peak);
    }
    const QColor flagged = toneColor(Tone::Danger, palette());
    for (const Offset offset : profile.flagged())
        painter.fillRect(QRect(rect.left(), yOf(strip, offset), rect.width(), 1), flagged);
    paintHits(painter, strip);
    if (const auto held = m_held.find(strip.id);
        held != m_held.end() && held->second.first < held->second.second) {
        const int top = yOf(strip, held->second.first);
        const int bottom = yOf(strip, held->second.second);
        painter.fillRect(QRect(rect.left(), top, kHeldWidth, std::max(bottom - top, 2)),
                         palette().color(QPalette::Highlight));
    }
}

const std::vector<Offset> &PartitionMap::hitsOf(PartitionId partition) const
{
    static const std::vector<Offset> none;
    if (!m_hits)
        return none;
    const auto found = m_hits->find(partition);
    return found == m_hits->end() ? none : found->second;
}

/// Marks at the right, so that they are told from what is flagged by more than their colour.
void PartitionMap::paintHits(QPainter &painter, const Strip &strip) const
{
    const QColor mark = toneColor(Tone::Warning, palette());
    const int size = std::min(kHitWidth, strip.rect.width());
    const std::vector<Offset> &hits = hitsOf(strip.id);
    auto hit = std::ranges::lower_bound(hits, strip.profile->begin());
    while (hit != hits.end() && *hit < strip.profile->end()) {
        const int y = yOf(strip, *hit);
        painter.fillRect(QRect(strip.rect.right() + 1 - size, y, size, 1), mark);
        // Those of the same line are many.
        hit = std::lower_bound(std::next(hit), hits.end(), offsetAt(strip, y + 1));
    }
}

void PartitionMap::paintTimes(QPainter &painter, const Strip &strip) const
{
    painter.setPen(toneColor(Tone::Muted, palette()));
    const int height = fontMetrics().height();
    QString above; // the same again, of a log of some minutes, would say nothing
    int free = 0;  // from here on there is room
    for (int y = 0; y < strip.rect.height(); y += 2) {
        if (y < free)
            continue;
        const auto seen = strip.profile->between(
            offsetAt(strip, y), std::max(offsetAt(strip, y + 2), offsetAt(strip, y) + 1));
        if (!seen.firstTimeMs)
            continue;
        free = y + kTickSpacing;
        const QString text = m_timeText(*seen.firstTimeMs, true);
        if (text == std::exchange(above, text))
            continue;
        const int top = std::clamp(y - height / 2, 0, std::max(this->height() - height, 0));
        painter.drawText(QRect(0, top, strip.rect.left() - 5, height),
                         int(Qt::AlignRight | Qt::AlignVCenter), text);
        painter.drawLine(strip.rect.left() - 4, y, strip.rect.left() - 2, y);
    }
}

QString PartitionMap::toolTipAt(const QPoint &point) const
{
    const auto place = placeAt(point);
    if (!place)
        return m_source;
    const PartitionProfile &profile = m_profiles->at(place->partition);
    QString text =
        tr("Partition %1, offset %2")
            .arg(QString::number(place->partition.value), groupedDigits(place->offset.value));
    const qint64 span = std::min(profile.bucketSpan(), profile.end() - place->offset);
    const auto seen = profile.between(place->offset, place->offset + span);
    if (seen.offsetsSeen == 0) {
        text += u'\n' + tr("not looked at yet");
    } else {
        if (seen.firstTimeMs && m_timeText)
            text += u'\n' + m_timeText(*seen.firstTimeMs, false);
        text += u'\n' + tr("%1 records in %2 offsets looked at")
                            .arg(groupedDigits(seen.records), groupedDigits(seen.offsetsSeen));
        if (seen.records > 0)
            text += u'\n' + tr("%1 on average, %2 the largest")
                                .arg(byteText(seen.bytes / seen.records), byteText(seen.peakBytes));
    }
    if (!profile.flagged().empty())
        text +=
            u'\n' + tr("flagged so far: %1").arg(groupedDigits(qint64(profile.flagged().size())));
    if (const std::vector<Offset> &hits = hitsOf(place->partition); !hits.empty())
        text += u'\n' + tr("hits: %1").arg(groupedDigits(qint64(hits.size())));
    return m_source.isEmpty() ? text : text + u'\n' + m_source;
}

bool PartitionMap::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *const help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), plainToolTip(toolTipAt(help->pos())), this);
        return true;
    }
    return QWidget::event(event);
}

void PartitionMap::go(const QPoint &point)
{
    if (const auto place = placeAt(point))
        emit goToRequested(place->partition, place->offset);
}

void PartitionMap::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        go(event->pos());
}

void PartitionMap::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        go(event->pos());
}

} // namespace topicscope::ui
