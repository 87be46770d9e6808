#include "ui/panels/composepanel.h"

#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/panels/composepreview.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/partitionstrip.h"
#include "ui/plaintooltip.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTime>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kSpacing = 6;
constexpr int kByKey = -1; ///< data of the partition box's first item

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
    , m_topic(new QComboBox)
    , m_key(new PayloadEdit(keySetup()))
    , m_value(new PayloadEdit(valueSetup()))
    , m_partition(new QComboBox)
    , m_strip(new PartitionStrip)
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
    m_topic->setObjectName(u"topicBox"_s);
    m_key->setObjectName(u"key"_s);
    m_value->setObjectName(u"value"_s);
    m_partition->setObjectName(u"partitionBox"_s);
    m_strip->setObjectName(u"partitionStrip"_s);
    m_ack->setObjectName(u"ackBox"_s);
    m_promise->setObjectName(u"ackPromise"_s);
    m_preview->setObjectName(u"preview"_s);
    m_keyNote->setObjectName(u"keyNote"_s);
    m_size->setObjectName(u"sizeLabel"_s);
    m_status->setObjectName(u"status"_s);
    m_undoButton->setObjectName(u"undoButton"_s);
    m_clearButton->setObjectName(u"clearButton"_s);
    m_publishButton->setObjectName(u"publishButton"_s);

    m_topic->setEditable(true);
    m_topic->setInsertPolicy(QComboBox::NoInsert);
    // Names are case-sensitive: a completion must not turn one topic into another.
    auto *completer = new QCompleter(m_topic->model(), m_topic);
    completer->setCaseSensitivity(Qt::CaseSensitive);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    completer->setFilterMode(Qt::MatchContains);
    m_topic->setCompleter(completer);
    m_topic->setMinimumContentsLength(14);
    m_topic->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_partition->setMinimumContentsLength(12);
    m_publishAction->setObjectName(u"publishAction"_s);
    m_publishAction->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    m_publishAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_publishAction->setAutoRepeat(false);
    addAction(m_publishAction);

    buildLayout();
    connectInputs();
    fillAckPolicies();
    fillPartitions();
    refresh();
}

void ComposePanel::buildLayout()
{
    const auto label = [](const QString &text, QWidget *buddy) {
        auto *widget = new QLabel(text);
        widget->setBuddy(buddy);
        return widget;
    };
    m_topic->setAccessibleName(tr("Topic"));
    m_partition->setAccessibleName(tr("Partition"));
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
    QHBoxLayout *target = row({m_topic, keyLabel, m_key});
    target->setStretchFactor(m_topic, 1);
    target->setStretchFactor(m_key, 2);
    target->insertSpacing(1, kSpacing);
    QHBoxLayout *bottom = row({m_size, m_status, m_undoButton, m_clearButton, m_publishButton});
    bottom->insertSpacing(1, kSpacing);
    m_partition->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);

    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(8, 6, 8, 6);
    grid->setVerticalSpacing(4);
    grid->setHorizontalSpacing(8);
    grid->addWidget(label(tr("T&opic"), m_topic), 0, 0);
    grid->addLayout(target, 0, 1);
    grid->addWidget(valueLabel, 1, 0, Qt::AlignTop);
    grid->addWidget(m_value, 1, 1, 2, 1);
    grid->addWidget(label(tr("Par&tition"), m_partition), 0, 2);
    grid->addLayout(row({m_partition, m_strip}), 0, 3);
    grid->addWidget(label(tr("&Ack"), m_ack), 1, 2);
    grid->addWidget(m_ack, 1, 3, Qt::AlignLeft);
    grid->addWidget(m_promise, 2, 2, 1, 2, Qt::AlignTop);
    grid->addLayout(row({m_preview, m_keyNote}), 3, 0, 1, 4);
    grid->addLayout(bottom, 4, 0, 1, 4);
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(3, 2);
    grid->setRowStretch(2, 1);
    for (QPushButton *button : {m_undoButton, m_clearButton})
        button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text()) + 24);
}

void ComposePanel::connectInputs()
{
    m_answered.setSingleShot(true);
    connect(&m_answered, &QTimer::timeout, this, &ComposePanel::refresh);
    connect(m_topic, &QComboBox::currentTextChanged, this, [this] {
        fillPartitions();
        onEdited();
    });
    connect(m_key, &PayloadEdit::changed, this, &ComposePanel::onEdited);
    connect(m_value, &PayloadEdit::changed, this, &ComposePanel::onEdited);
    for (PayloadEdit *edit : {m_key, m_value}) {
        connect(edit, &PayloadEdit::refused, this, [this](const QString &why) {
            showMessage(why, Tone::Warning);
            m_messageIsNote = true;
        });
    }
    connect(m_partition, &QComboBox::activated, this, &ComposePanel::onEdited);
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

void ComposePanel::setSession(SessionHandle *session)
{
    if (session == m_session)
        return;
    m_session = session;
    m_message.clear();
    if (m_reading.has_value()) {
        m_reading.reset();
        showMessage(tr("Nothing was sent: another connection was chosen."), Tone::Danger);
    }
    if (session)
        listenTo(session);
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
    if (!m_session)
        m_reading.reset();
    refresh();
}

void ComposePanel::setTopics(const TopicList &topics)
{
    m_topics = topics;
    QStringList names;
    for (const TopicInfo &topic : topics)
        names << topic.name;
    QStringList shown;
    for (int i = 0; i < m_topic->count(); ++i)
        shown << m_topic->itemText(i);
    if (names != shown) {
        const QSignalBlocker blocker(m_topic);
        const QString typed = m_topic->currentText();
        m_topic->clear();
        m_topic->addItems(names);
        m_topic->setEditText(typed);
    }
    fillPartitions();
    refresh();
}

void ComposePanel::setTopic(const QString &topic)
{
    m_topic->setEditText(topic);
}

void ComposePanel::suggestTopic(const QString &topic)
{
    const Payload &value = m_value->payload();
    const bool valueIsEmpty =
        value.kind == Payload::Kind::Bytes && value.bytes && value.bytes->isEmpty();
    if (valueIsEmpty && m_key->payload().kind == Payload::Kind::None)
        setTopic(topic);
}

void ComposePanel::setDraft(const std::optional<QByteArray> &value, const QString &topic,
                            std::optional<PartitionId> partition)
{
    PublishRequest request;
    request.topic = topic;
    request.partition = partition;
    request.value = value;
    request.ack = ackPolicy().value_or(m_ackChoice.value_or(AckPolicy::Written));
    setRequest(request);
}

void ComposePanel::setRequest(const PublishRequest &request)
{
    keepForUndo();
    m_message.clear();
    m_topic->setEditText(request.topic);
    m_key->setBytes(request.key);
    m_value->setBytes(request.value);
    setByHand(request.partition);
    setAckPolicy(request.ack);
    onEdited();
}

void ComposePanel::focusValue()
{
    m_value->setFocus(Qt::OtherFocusReason);
}

void ComposePanel::fillAckPolicies()
{
    const QSignalBlocker blocker(m_ack);
    m_ack->clear();
    if (!m_session)
        return;
    const Capabilities &capabilities = m_session->capabilities();
    for (const AckPolicy policy : capabilities.ackPolicies) {
        m_ack->addItem(ackPolicyName(policy), QVariant::fromValue(policy));
        m_ack->setItemData(m_ack->count() - 1, ackPromise(policy), Qt::ToolTipRole);
    }
    // Also after a time without a session: forced must not become written unseen.
    if (m_ackChoice)
        setAckPolicy(*m_ackChoice);
    m_value->setNoneAllowed(capabilities.nullValues);
}

/// Offers the partitions of the topic; one chosen by hand stays chosen, also when it is gone.
/// Leaves the box alone when nothing changes: its list may be open.
void ComposePanel::fillPartitions()
{
    QList<int> wanted{kByKey};
    if (const TopicInfo *topic = currentTopic()) {
        for (const PartitionInfo &partition : topic->partitions)
            wanted << partition.id.value;
    }
    QList<int> shown;
    for (int i = 0; i < m_partition->count(); ++i)
        shown << m_partition->itemData(i).toInt();
    if (shown == wanted)
        return;
    const std::optional<PartitionId> chosen = byHand();
    const QSignalBlocker blocker(m_partition);
    m_partition->clear();
    for (const int id : std::as_const(wanted))
        m_partition->addItem(id == kByKey ? tr("by key") : tr("by hand: %1").arg(id), id);
    setByHand(chosen);
}

const TopicInfo *ComposePanel::currentTopic() const
{
    const QString name = topicName();
    const auto topic = std::find_if(m_topics.begin(), m_topics.end(),
                                    [&](const TopicInfo &info) { return info.name == name; });
    return topic == m_topics.end() ? nullptr : &*topic;
}

QString ComposePanel::topicName() const
{
    return m_topic->currentText();
}

std::optional<PartitionId> ComposePanel::byHand() const
{
    const QVariant item = m_partition->currentData();
    if (!item.isValid() || item.toInt() == kByKey)
        return std::nullopt;
    return PartitionId{item.toInt()};
}

void ComposePanel::setByHand(std::optional<PartitionId> partition)
{
    const int wanted = partition ? partition->value : kByKey;
    if (m_partition->findData(wanted) < 0)
        m_partition->addItem(tr("by hand: %1").arg(wanted), wanted);
    m_partition->setCurrentIndex(m_partition->findData(wanted));
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

qint64 ComposePanel::maxValueBytes() const
{
    return m_session ? m_session->capabilities().maxRecordBytes - topicName().toUtf8().size() : 0;
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
    const TopicInfo *topic = currentTopic();
    refreshPreview(topic);
    refreshSize();
    const auto ack = ackPolicy();
    m_promise->setLine(ack ? ackPromise(*ack) : QString());
    m_undoButton->setEnabled(m_undo.has_value());

    bool inFlight = false;
    for (auto waiting = m_waiting.cbegin(); waiting != m_waiting.cend(); ++waiting) {
        inFlight =
            inFlight || (waiting.value() == m_revision && waiting.key().first == m_session.data());
    }
    const auto reason = obstacle();
    m_publishButton->setText(inFlight || m_reading ? tr("Publishing…") : tr("Publish"));
    const bool justAnswered = m_answered.isActive() && m_answeredRevision == m_revision;
    m_publishButton->setEnabled(!inFlight && !justAnswered && !m_reading && !reason);
    m_publishAction->setEnabled(m_publishButton->isEnabled());

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
    } else if (m_session->state() == ConnectionState::Lost) {
        m_status->setLine(tr("The connection is lost. ") + errorText(m_session->lastError()).full(),
                          icon(IconName::Offline, Tone::Warning));
    } else {
        m_status->setLine({});
    }
    m_publishButton->setToolTip(
        reason ? plainToolTip(reason->text)
               : m_publishAction->shortcut().toString(QKeySequence::NativeText));
    m_publishButton->setAccessibleDescription(m_status->text());
}

void ComposePanel::refreshPreview(const TopicInfo *topic)
{
    const Payload &key = m_key->payload();
    const bool hasKey = key.kind == Payload::Kind::Bytes || key.kind == Payload::Kind::File;
    m_partition->setItemText(0, key.kind == Payload::Kind::None ? tr("in turn") : tr("by key"));
    m_keyNote->setLine(m_session && hasKey && !m_session->capabilities().keys
                           ? tr("The key is not stored")
                           : QString(),
                       icon(IconName::Warning, Tone::Warning));
    m_keyNote->setVisible(!m_keyNote->text().isEmpty());
    if (!topic || topic->partitions.isEmpty()) {
        m_strip->setPartitions({});
        m_strip->setChosen(std::nullopt);
        m_preview->setLine({});
        return;
    }
    m_strip->setPartitions(topic->partitions);
    if (key.kind == Payload::Kind::Invalid && !byHand()) {
        m_strip->setChosen(std::nullopt);
        m_preview->setLine({});
        return;
    }
    const PartitionChoice choice = choosePartition(*topic, key.bytes, byHand());
    m_strip->setChosen(choice.partition);
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

ComposePanel::Draft ComposePanel::draft() const
{
    return {topicName(), m_key->state(), m_value->state(), byHand(),
            ackPolicy().value_or(m_ackChoice.value_or(AckPolicy::Written))};
}

void ComposePanel::setDraftState(const Draft &draft)
{
    m_topic->setEditText(draft.topic);
    m_key->setState(draft.key);
    m_value->setState(draft.value);
    setByHand(draft.byHand);
    setAckPolicy(draft.ack);
    onEdited();
}

void ComposePanel::keepForUndo()
{
    const bool nothing = m_key->payload().kind == Payload::Kind::None &&
                         m_value->payload().size == 0 && m_value->payload().problem.isEmpty();
    if (!nothing)
        m_undo = draft();
}

void ComposePanel::clear()
{
    keepForUndo();
    m_message.clear();
    m_key->setState({PayloadEdit::Mode::None, PayloadEdit::Mode::Text, {}, {}, {}});
    m_value->setState({PayloadEdit::Mode::Text, PayloadEdit::Mode::Text, {}, {}, {}});
}

void ComposePanel::undo()
{
    if (m_undo)
        setDraftState(std::exchange(*m_undo, draft()));
}

} // namespace topicscope::ui
