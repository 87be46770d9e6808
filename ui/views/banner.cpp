#include "ui/views/banner.h"

#include "ui/theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

Banner::Banner(QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_action(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    setAutoFillBackground(true);
    m_text->setObjectName(u"bannerText"_s);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->setObjectName(u"bannerAction"_s);
    m_close->setIcon(icon(IconName::Close));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this line"));
    m_close->setAccessibleName(m_close->toolTip());
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);
    connect(m_action, &QToolButton::clicked, this, &Banner::actionTriggered);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void Banner::say(Tone tone, const QString &text, const QString &action)
{
    m_tone = tone;
    m_text->setText(text);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    applyTone();
    show();
}

QString Banner::text() const
{
    return m_text->text();
}

void Banner::applyTone()
{
    const QPalette base = parentWidget() ? parentWidget()->palette() : QPalette();
    QPalette tinted = base;
    tinted.setColor(QPalette::Window, toneFill(m_tone, base));
    tinted.setColor(QPalette::WindowText, base.color(QPalette::Text));
    setPalette(tinted);
    m_icon->setPixmap(icon(IconName::Warning, m_tone).pixmap(16, 16));
}

void Banner::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        applyTone();
}

} // namespace topicscope::ui
