#include "ui/panels/composepanel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/panels/composepreview.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/partitionchooser.h"
#include "ui/plaintooltip.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTime>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kSpacing = 6;

PayloadEdit::Setup keySetup()
{
    using Mode = PayloadEdit::Mode;
    return {ComposePanel::tr("key"),    {Mode::None, Mode::Text, Mode::Hex, Mode::File},
            PayloadText::Lines::One,    ComposePanel::tr("none"),
            ComposePanel::tr("no key"), ComposePanel::kMaxKeyBytes};
}

PayloadEdit::Setup valueSetup()
{
    using Mode = PayloadEdit::Mode;
    return {ComposePanel::tr("value"),
            {Mode::Text, Mode::Json, Mode::Hex, Mode::File},
            PayloadText::Lines::Many,
            ComposePanel::tr("null"),
            ComposePanel::tr("no value at all: a tombstone"),
            -1};
}

} // namespace

ComposePanel::ComposePanel(QWidget *parent)
    : QWidget(parent)
    , m_target(new ComposeTarget)
    , m_key(new PayloadEdit(keySetup()))
    , m_value(new PayloadEdit(valueSetup()))
    , m_partition(new PartitionChooser)
    , m_ack(new QComboBox)
    , m_promise(new ElidedLabel(2))
    , m_preview(new ElidedLabel(2))
    , m_keyNote(new ElidedLabel)
    , m_size(new ElidedLabel)
    , m_status(new ElidedLabel(2))
    , m_undoButton(new QPushButton(tr("Undo")))
    , m_clearButton(new QPushButton(tr("Clear")))
    , m_publishButton(new QPushButton(tr("Publish")))
    , m_publishAction(new QAction(icon(IconName::Publish), tr("Publish"), this))
{
    m_key->setObjectName(u"key"_s);
    m_value->setObjectName(u"value"_s);
    m_ack->setObjectName(u"ackBox"_s);
    m_promise->setObjectName(u"ackPromise"_s);
    m_preview->setObjectName(u"preview"_s);
    m_keyNote->setObjectName(u"keyNote"_s);
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
    fillAckPolicies();
    refresh();
}

void ComposePanel::buildLayout()
{
    const auto label = [](const QString &text, QWidget *buddy) {
        auto *widget = new QLabel(text);
        widget->setBuddy(buddy);
        return widget;
    };
    m_ack->setAccessibleName(tr("Ack policy"));
    m_preview->setAccessibleName(tr("Where the record will go"));
    m_size->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_keyNote->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_size->setAccessibleName(tr("Size of the value, and the largest that fits"));
    m_undoButton->setToolTip(tr("Bring back what was composed before"));
    m_clearButton->setToolTip(tr("Empty key and value"));
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
    grid->setVerticalSpacing(4);
    grid->setHorizontalSpacing(8);
    grid->addWidget(label(tr("T&o"), m_target), 0, 0);
    grid->addWidget(m_target, 0, 1, 1, 3);
    grid->addWidget(keyLabel, 1, 0);
    grid->addWidget(m_key, 1, 1);
    grid->addWidget(valueLabel, 2, 0, Qt::AlignTop);
    grid->addWidget(m_value, 2, 1, 2, 1);
    grid->addWidget(label(tr("Par&tition"), m_partition), 1, 2);
    grid->addWidget(m_partition, 1, 3, Qt::AlignLeft);
    grid->addWidget(label(tr("&Ack"), m_ack), 2, 2);
    grid->addWidget(m_ack, 2, 3, Qt::AlignLeft);
    grid->addWidget(m_promise, 3, 2, 1, 2, Qt::AlignTop);
    grid->addLayout(row({m_preview, m_keyNote}), 4, 0, 1, 4);
    grid->addLayout(bottom, 5, 0, 1, 4);
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(3, 2);
    grid->setRowStretch(3, 1);
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
        onEdited();
    });
    connect(m_target, &ComposeTarget::topicsChanged, this, [this] {
        m_partition->setTopic(m_target->topicInfo());
        refresh();
    });
    connect(m_key, &PayloadEdit::changed, this, &ComposePanel::onEdited);
    connect(m_value, &PayloadEdit::changed, this, &ComposePanel::onEdited);
    for (PayloadEdit *edit : {m_key, m_value}) {
        connect(edit, &PayloadEdit::refused, this, [this](const QString &why) {
            showMessage(why, Tone::Warning);
            m_messageIsNote = true;
        });
    }
    connect(m_partition, &PartitionChooser::changed, this, &ComposePanel::onEdited);
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
    fillAckPolicies();
    refresh();
}

void ComposePanel::listenTo(SessionHandle *session)
{
    if (m_heard.contains(session))
        return;
    m_heard.insert(session);
    connect(session, &SessionHandle::capabilitiesKnown, this, [this] {
        fillAckPolicies();
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

void ComposePanel::fillAckPolicies()
{
    const QSignalBlocker blocker(m_ack);
    m_ack->clear();
    if (!session())
        return;
    const Capabilities &capabilities = session()->capabilities();
    for (const AckPolicy policy : capabilities.ackPolicies) {
        m_ack->addItem(ackPolicyName(policy), QVariant::fromValue(policy));
        m_ack->setItemData(m_ack->count() - 1, ackPromise(policy), Qt::ToolTipRole);
    }
    // Also after a time without a session: forced must not become written unseen.
    if (m_ackChoice)
        setAckPolicy(*m_ackChoice);
    m_value->setNoneAllowed(capabilities.nullValues);
}

std::optional<AckPolicy> ComposePanel::ackPolicy() const
{
    const QVariant item = m_ack->currentData();
    return item.isValid() ? std::optional(item.value<AckPolicy>()) : std::nullopt;
}

void ComposePanel::setAckPolicy(AckPolicy policy)
{
    m_ackChoice = policy;
    const int index = m_ack->findData(QVariant::fromValue(policy));
    if (index >= 0)
        m_ack->setCurrentIndex(index);
}

QList<PartitionAlgorithm> ComposePanel::partitioners() const
{
    return session() ? session()->capabilities().partitioners : QList<PartitionAlgorithm>();
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

void ComposePanel::refresh()
{
    refreshPreview();
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

void ComposePanel::refreshPreview()
{
    const Payload &key = m_key->payload();
    const bool hasKey = key.kind == Payload::Kind::Bytes || key.kind == Payload::Kind::File;
    m_partition->setHasKey(key.kind != Payload::Kind::None);
    m_keyNote->setLine(session() && hasKey && !session()->capabilities().keys
                           ? tr("The key is not stored")
                           : QString(),
                       icon(IconName::Warning, Tone::Warning));
    m_keyNote->setVisible(!m_keyNote->text().isEmpty());

    const TopicInfo *topic = m_target->topicInfo();
    const auto byHand = m_partition->byHand();
    if (!topic || topic->partitions.isEmpty() || (key.kind == Payload::Kind::Invalid && !byHand)) {
        m_partition->setChosen(std::nullopt);
        m_preview->setLine({});
        return;
    }
    const PartitionChoice choice = choosePartition(*topic, key.bytes, byHand, partitioners());
    m_partition->setChosen(choice.partition);
    m_preview->setLine(choice.others.isEmpty() ? choice.text
                                               : choice.text + u"; "_s + choice.others);
}

void ComposePanel::refreshSize()
{
    const Payload &value = m_value->payload();
    if (value.kind == Payload::Kind::None) {
        m_size->setLine(tr("null value"));
        return;
    }
    const QString bytes = value.kind == Payload::Kind::Invalid ? u"–"_s : groupedDigits(value.size);
    const qint64 limit = maxValueBytes();
    m_size->setLine(limit > 0 ? tr("%1 of %2 bytes").arg(bytes, groupedDigits(limit))
                              : tr("%1 bytes").arg(bytes));
}

void ComposePanel::showMessage(const QString &text, Tone tone)
{
    m_message = QTime::currentTime().toString(u"HH:mm:ss "_s) + text;
    m_messageTone = tone;
    m_messageIsNote = false;
    refresh();
}

} // namespace topicscope::ui
