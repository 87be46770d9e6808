#include "ui/views/outcomelabel.h"

#include "ui/theme/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

namespace topicscope::ui
{

OutcomeLabel::OutcomeLabel(const QString &name, int lines, Qt::AlignmentFlag vertical,
                           QWidget *parent)
    : QWidget(parent)
    , m_sign(new QLabel)
    , m_text(new QLabel)
{
    m_sign->setFixedWidth(style()->pixelMetric(QStyle::PM_SmallIconSize));
    m_sign->setAlignment(vertical);
    m_text->setObjectName(name);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAlignment(vertical | Qt::AlignLeft);
    m_text->setMinimumHeight(lines * m_text->fontMetrics().lineSpacing());
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_sign);
    layout->addWidget(m_text, 1);
}

void OutcomeLabel::say(const QString &text, std::optional<bool> isGood)
{
    m_text->setText(text);
    const int size = style()->pixelMetric(QStyle::PM_SmallIconSize);
    const QIcon sign = isGood.value_or(false) ? icon(IconName::Verified, Tone::Good)
                                              : icon(IconName::Warning, Tone::Warning);
    m_sign->setPixmap(isGood && !text.isEmpty() ? sign.pixmap(size) : QPixmap());
}

} // namespace topicscope::ui
