#include "ui/panels/composepanel.h"

#include "ui/errortext.h"
#include "ui/panels/composepreview.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/headersedit.h"
#include "ui/panels/partitionchooser.h"
#include "ui/panels/targetrules.h"
#include "ui/panels/timestampedit.h"
#include "ui/plaintooltip.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTime>
#include <QToolButton>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kSpacing = 6;

PayloadEdit::Setup keySetup()
{
    using Mode = PayloadEdit::Mode;
    return {ComposePanel::tr("key"),  {Mode::None, Mode::Text, Mode::Hex, Mode::File},
            PayloadText::Lines::One,  ComposePanel::tr("none"),
            noKeyWords(std::nullopt), ComposePanel::kMaxKeyBytes};
}

PayloadEdit::Setup valueSetup()
{
    using Mode = PayloadEdit::Mode;
    return {ComposePanel::tr("value"),  {Mode::Text, Mode::Json, Mode::Hex, Mode::File},
            PayloadText::Lines::Many,   ComposePanel::tr("null"),
            noValueWords(std::nullopt), -1};
}

} // namespace

ComposePanel::ComposePanel(QWidget *parent)
    : QWidget(parent)
    , m_target(new ComposeTarget)
    , m_rules(new TargetRules(this))
    , m_templatesMenu(new QMenu(this))
    , m_key(new PayloadEdit(keySetup()))
    , m_value(new PayloadEdit(valueSetup()))
    , m_partition(new PartitionChooser)
    , m_partitioner(new QComboBox)
    , m_ack(new QComboBox)
    , m_compression(new QComboBox)
    , m_partitionerLabel(new QLabel(tr("P&artitioner")))
    , m_ackLabel(new QLabel(tr("&Ack")))
    , m_headersLabel(new QLabel(tr("&Headers")))
    , m_headers(new HeadersEdit)
    , m_timeLabel(new QLabel(tr("T&ime")))
    , m_time(new TimestampEdit)
    , m_promise(new ElidedLabel(2))
    , m_preview(new ElidedLabel(2))
    , m_note(new ElidedLabel)
    , m_size(new ElidedLabel)
    , m_status(new ElidedLabel(2))
    , m_undoButton(new QPushButton(tr("Undo")))
    , m_clearButton(new QPushButton(tr("Clear")))
    , m_publishButton(new QPushButton(tr("Publish")))
    , m_publishAction(new QAction(icon(IconName::Publish), tr("Publish"), this))
{
    m_key->setObjectName(u"key"_s);
    m_value->setObjectName(u"value"_s);
    m_partitioner->setObjectName(u"partitionerBox"_s);
    m_ack->setObjectName(u"ackBox"_s);
    m_compression->setObjectName(u"compressionBox"_s);
    m_headers->setObjectName(u"headers"_s);
    m_time->setObjectName(u"time"_s);
    m_promise->setObjectName(u"ackPromise"_s);
    m_preview->setObjectName(u"preview"_s);
    m_note->setObjectName(u"note"_s);
    m_size->setObjectName(u"sizeLabel"_s);
    m_status->setObjectName(u"status"_s);
    m_undoButton->setObjectName(u"undoButton"_s);
    m_clearButton->setObjectName(u"clearButton"_s);
    m_publishButton->setObjectName(u"publishButton"_s);
    m_publishAction->setObjectName(u"publishAction"_s);
    m_publishAction->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    m_publishAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_publishAction->setAutoRepeat(false);
    addAction(m_publishAction);

    buildLayout();
    connectInputs();
    fillChoices();
    refresh();
}

ComposePanel::~ComposePanel()
{
    m_headers->disconnect(this); // a cell still edited is taken over when its window goes
}

void ComposePanel::buildLayout()
{
    const auto label = [](const QString &text, QWidget *buddy) {
        auto *widget = new QLabel(text);
        widget->setBuddy(buddy);
        return widget;
    };
    m_partitioner->setAccessibleName(tr("Partitioner: how a key selects the partition"));
    m_ack->setAccessibleName(tr("Ack policy"));
    m_compression->setAccessibleName(tr("Compression"));
    // They are filled when the engine is known.
    for (QComboBox *box : {m_partitioner, m_ack, m_compression})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_partitionerLabel->setBuddy(m_partitioner);
    m_ackLabel->setBuddy(m_ack);
    m_headersLabel->setBuddy(m_headers);
    m_timeLabel->setBuddy(m_time);
    m_preview->setAccessibleName(tr("Where the record will go"));
    m_size->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_note->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_size->setAccessibleName(tr("Size of the value, and the largest that fits"));
    m_undoButton->setToolTip(tr("Bring back what was composed before"));
    m_clearButton->setToolTip(tr("Empty key, value and headers"));
    m_publishButton->setIcon(icon(IconName::Publish));
    m_publishButton->setAutoDefault(false);
    m_publishButton->setMinimumWidth(
        m_publishButton->fontMetrics().horizontalAdvance(tr("Publishing…")) + 48);

    const auto row = [](std::initializer_list<QWidget *> widgets) {
        auto *layout = new QHBoxLayout;
        layout->setSpacing(kSpacing);
        for (QWidget *widget : widgets)
            layout->addWidget(widget);
        return layout;
    };
    auto *keyLabel = label(tr("&Key"), m_key);
    auto *valueLabel = label(tr("Va&lue"), m_value);
    valueLabel->setMinimumHeight(m_ack->sizeHint().height()); // in line with the field's first line
    QHBoxLayout *bottom = row({m_size, m_status, m_undoButton, m_clearButton, m_publishButton});
    bottom->insertSpacing(1, kSpacing);

    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(8, 6, 8, 6);
    grid->setVerticalSpacing(3);
    grid->setHorizontalSpacing(8);
    grid->addWidget(label(tr("T&o"), m_target), 0, 0);
    auto *templates = new QToolButton;
    templates->setObjectName(u"templatesButton"_s);
    templates->setText(tr("Templates"));
    templates->setToolTip(tr("Keep what is composed by a name, or bring it back"));
    templates->setMenu(m_templatesMenu);
    templates->setPopupMode(QToolButton::InstantPopup);
    templates->setFocusPolicy(Qt::StrongFocus);
    auto *to = row({m_target});
    to->setStretch(0, 1);
    grid->addLayout(to, 0, 1, 1, 3);
    grid->addWidget(keyLabel, 1, 0);
    grid->addWidget(m_key, 1, 1);
    grid->addWidget(valueLabel, 2, 0, Qt::AlignTop);
    grid->addWidget(m_value, 2, 1, 3, 1);
    grid->addWidget(label(tr("Par&tition"), m_partition), 1, 2);
    grid->addWidget(m_partition, 1, 3, Qt::AlignLeft);
    QHBoxLayout *ack = row({m_ack, m_compression});
    ack->addStretch();
    grid->addWidget(m_partitionerLabel, 2, 2);
    grid->addWidget(m_partitioner, 2, 3, Qt::AlignLeft);
    grid->addWidget(m_ackLabel, 3, 2);
    grid->addLayout(ack, 3, 3);
    grid->addWidget(m_promise, 4, 2, 1, 2, Qt::AlignTop);
    grid->addWidget(m_headersLabel, 5, 0, Qt::AlignTop);
    grid->addWidget(m_headers, 5, 1, Qt::AlignTop);
    grid->addWidget(m_timeLabel, 5, 2, Qt::AlignTop);
    grid->addWidget(m_time, 5, 3, Qt::AlignTop);
    for (QLabel *top : {m_headersLabel, m_timeLabel})
        top->setMinimumHeight(m_ack->sizeHint().height());
    grid->addLayout(row({m_preview, m_note}), 6, 0, 1, 4);
    grid->addLayout(bottom, 7, 0, 1, 4);
    to->addWidget(templates); // last with the Tab key
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(3, 2);
    grid->setRowStretch(4, 1);
    for (QPushButton *button : {m_undoButton, m_clearButton})
        button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text()) + 24);
}

void ComposePanel::connectInputs()
{
    m_answered.setSingleShot(true);
    connect(&m_answered, &QTimer::timeout, this, &ComposePanel::refresh);
    connect(m_target, &ComposeTarget::sessionChanged, this, &ComposePanel::onSessionChanged);
    connect(m_target, &ComposeTarget::topicChanged, this, [this] {
        m_partition->setTopic(m_target->topicInfo());
        recallFormats();
        onEdited();
    });
    connect(m_target, &ComposeTarget::topicsChanged, this, [this] {
        m_partition->setTopic(m_target->topicInfo());
        refresh();
    });
    connect(m_rules, &TargetRules::changed, this, &ComposePanel::refresh);
    connect(m_key, &PayloadEdit::changed, this, &ComposePanel::onEdited);
    connect(m_value, &PayloadEdit::changed, this, &ComposePanel::onEdited);
    for (PayloadEdit *edit : {m_key, m_value})
        connect(edit, &PayloadEdit::refused, this, &ComposePanel::showNote);
    connect(m_key, &PayloadEdit::formatChosen, this,
            [this](const PayloadCodec *format) { keepFormat(PayloadPart::Key, format); });
    connect(m_value, &PayloadEdit::formatChosen, this,
            [this](const PayloadCodec *format) { keepFormat(PayloadPart::Value, format); });
    connect(m_headers, &HeadersEdit::changed, this, &ComposePanel::onHeadersChanged);
    connect(m_headers, &HeadersEdit::refused, this, &ComposePanel::showNote);
    connect(m_time, &TimestampEdit::changed, this, &ComposePanel::onEdited);
    connect(m_partition, &PartitionChooser::changed, this, &ComposePanel::onEdited);
    connect(m_partitioner, &QComboBox::activated, this, [this] {
        m_partitionerChoice = partitioner();
        onEdited();
    });
    connect(m_compression, &QComboBox::activated, this, [this] {
        m_compressionChoice = compression();
        onEdited();
    });
    connect(m_ack, &QComboBox::activated, this, [this] {
        m_ackChoice = ackPolicy();
        onEdited();
    });
    connect(m_undoButton, &QPushButton::clicked, this, &ComposePanel::undo);
    connect(m_clearButton, &QPushButton::clicked, this, &ComposePanel::clear);
    connect(m_publishButton, &QPushButton::clicked, this, &ComposePanel::publish);
    connect(m_publishAction, &QAction::triggered, this, &ComposePanel::publish);
    connect(&m_keyRead, &QFutureWatcherBase::finished, this, &ComposePanel::onFileRead);
    connect(&m_valueRead, &QFutureWatcherBase::finished, this, &ComposePanel::onFileRead);
}

void ComposePanel::onSessionChanged()
{
    m_message.clear();
    if (m_reading.has_value()) {
        m_reading.reset();
        showMessage(tr("Nothing was sent: another connection was chosen."), Tone::Danger);
    }
    if (session())
        listenTo(session());
    fillChoices();
    refresh();
}

void ComposePanel::listenTo(SessionHandle *session)
{
    if (m_heard.contains(session))
        return;
    m_heard.insert(session);
    connect(session, &SessionHandle::capabilitiesKnown, this, [this] {
        fillChoices();
        refresh();
    });
    connect(session, &SessionHandle::stateChanged, this, &ComposePanel::refresh);
    connect(session, &SessionHandle::published, this,
            [this, session](RequestId id, const PublishResult &result) {
                onPublished(session, id, result);
            });
    connect(session, &SessionHandle::failed, this,
            [this, session](RequestId id, const Error &error) { onFailed(session, id, error); });
    connect(session, &QObject::destroyed, this, [this, session] { onSessionGone(session); });
}

void ComposePanel::onSessionGone(const QObject *session)
{
    m_heard.remove(session);
    m_waiting.removeIf([session](const auto &waiting) { return waiting.key().first == session; });
    if (!this->session())
        m_reading.reset();
    refresh();
}

QString ComposePanel::topic() const
{
    return m_target->topic();
}

void ComposePanel::setTopics(const SessionHandle *session, const TopicList &topics)
{
    m_target->setTopics(session, topics);
}

void ComposePanel::lookAt(const ComposeTarget::Place &place)
{
    m_target->offer(place);
    if (!isEmpty())
        return;
    const QString before = m_target->topic();
    m_target->takeOffer();
    if (m_target->topic() != before) {
        m_partition->setByHand(std::nullopt); // it was one of the other topic's
        refresh();
    }
}

void ComposePanel::focusValue()
{
    m_value->setFocus(Qt::OtherFocusReason);
}

qint64 ComposePanel::maxValueBytes() const
{
    return session() ? session()->capabilities().maxRecordBytes - m_target->topic().toUtf8().size()
                     : 0;
}

void ComposePanel::onEdited()
{
    ++m_revision;
    if (m_messageIsNote)
        m_message.clear();
    refresh();
}

void ComposePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh(); // nothing was asked for while nobody looked
}

void ComposePanel::refresh()
{
    wantRules();
    refreshPreview();
    refreshNote();
    refreshSize();
    const auto ack = ackPolicy();
    m_promise->setLine(ack ? ackPromise(*ack) : QString());
    m_undoButton->setEnabled(m_undo.has_value());

    bool inFlight = false;
    for (auto waiting = m_waiting.cbegin(); waiting != m_waiting.cend(); ++waiting) {
        inFlight = inFlight || (waiting.value() == m_revision && waiting.key().first == session());
    }
    const auto reason = obstacle();
    m_publishButton->setText(inFlight || m_reading ? tr("Publishing…") : tr("Publish"));
    const bool justAnswered = m_answered.isActive() && m_answeredRevision == m_revision;
    m_publishButton->setEnabled(!inFlight && !justAnswered && !m_reading && !reason);
    m_publishAction->setEnabled(m_publishButton->isEnabled());
    refreshStatus(inFlight, reason);
    m_publishButton->setToolTip(
        reason ? plainToolTip(reason->text)
               : m_publishAction->shortcut().toString(QKeySequence::NativeText));
    m_publishButton->setAccessibleDescription(m_status->text());
}

void ComposePanel::refreshStatus(bool inFlight, const std::optional<Obstacle> &reason)
{
    if (m_reading) {
        m_status->setLine(tr("Reading the file…"), icon(IconName::Clock));
    } else if (inFlight) {
        m_status->setLine(tr("Waiting for the answer. Change the record to publish another one."),
                          icon(IconName::Clock));
    } else if (m_messageIsNote && !m_message.isEmpty()) {
        m_status->setLine(m_message, icon(IconName::Warning, m_messageTone));
    } else if (reason) {
        m_status->setLine(reason->text,
                          reason->icon ? icon(*reason->icon, Tone::Warning) : QIcon());
    } else if (!m_message.isEmpty()) {
        const IconName name = m_messageTone == Tone::Good ? IconName::Verified : IconName::Warning;
        m_status->setLine(m_message, icon(name, m_messageTone));
    } else if (session()->state() == ConnectionState::Lost) {
        m_status->setLine(tr("The connection is lost. ") + errorText(session()->lastError()).full(),
                          icon(IconName::Offline, Tone::Warning));
    } else {
        m_status->setLine({});
    }
}

void ComposePanel::showNote(const QString &text)
{
    showMessage(text, Tone::Warning);
    m_messageIsNote = true;
}

void ComposePanel::showMessage(const QString &text, Tone tone)
{
    m_message = QTime::currentTime().toString(u"HH:mm:ss "_s) + text;
    m_messageTone = tone;
    m_messageIsNote = false;
    refresh();
}

} // namespace topicscope::ui
