#include "ui/panels/filteredit.h"

#include "ui/theme/palette.h"

#include <QDateTime>
#include <QPainter>

#include <algorithm>

namespace topicscope::ui
{

FilterEdit::FilterEdit(QWidget *parent)
    : QLineEdit(parent)
{
    setMaxLength(int(search::kMaxFilterChars));
    setClearButtonEnabled(true);
    // First of all who hears of it: they ask for what it says.
    connect(this, &QLineEdit::textChanged, this, &FilterEdit::check);
}

std::optional<search::Filter> FilterEdit::filterNow() const
{
    auto filter = search::Filter::parse(text(), QDateTime::currentMSecsSinceEpoch());
    return filter ? std::optional(std::move(filter).value()) : std::nullopt;
}

void FilterEdit::check()
{
    m_filter.reset();
    m_error.reset();
    if (!isBlank()) {
        search::SyntaxError error;
        auto filter = search::Filter::parse(text(), QDateTime::currentMSecsSinceEpoch(), &error);
        if (filter)
            m_filter = std::move(filter).value();
        else
            m_error = error;
    }
    setAccessibleDescription(errorText());
    update();
}

QString FilterEdit::errorText() const
{
    return m_error ? tr("Column %1: %2").arg(m_error->column + 1).arg(m_error->expected)
                   : QString();
}

/// The text's place is told by where its cursor is.
void FilterEdit::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (!m_error)
        return;
    const QString shown = text();
    const auto xOf = [&](qsizetype column) {
        return fontMetrics().horizontalAdvance(shown.first(std::min(column, shown.size())));
    };
    const QRect cursor = cursorRect();
    const int zero = cursor.center().x() - xOf(cursorPosition());
    const int begin = zero + xOf(m_error->column);
    const int least = fontMetrics().averageCharWidth(); // at the end there is nothing to underline
    const int end = std::max(zero + xOf(m_error->column + m_error->length), begin + least);
    const int y = cursor.bottom() - 1;
    QPainter painter(this);
    painter.setClipRect(contentsRect().adjusted(2, 0, -2, 0));
    painter.setPen(QPen(toneColor(Tone::Danger, palette()), 1));
    for (int x = begin; x < end; x += 4) {
        painter.drawLine(x, y, x + 2, y - 2);
        painter.drawLine(x + 2, y - 2, x + 4, y);
    }
}

} // namespace topicscope::ui
