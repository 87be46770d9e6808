#include "ui/panels/composetarget.h"

#include "ui/panels/elidedlabel.h"
#include "ui/plaintooltip.h"
#include "ui/theme/icons.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kUseChars = 40; ///< of the button's text; the rest is in its tool tip

} // namespace

bool ComposeTarget::Place::isSameBroker(const Place &other) const
{
    return config.endpoint() == other.config.endpoint();
}

ComposeTarget::ComposeTarget(QWidget *parent)
    : QWidget(parent)
    , m_connection(new ElidedLabel)
    , m_topic(new QComboBox)
    , m_use(new QPushButton)
{
    buildLayout();
    connect(m_topic, &QComboBox::currentTextChanged, this, [this] {
        refresh();
        emit topicChanged();
    });
    connect(m_use, &QPushButton::clicked, this, &ComposeTarget::takeOffer);
    refresh();
}

void ComposeTarget::buildLayout()
{
    m_connection->setObjectName(u"targetConnection"_s);
    m_topic->setObjectName(u"topicBox"_s);
    m_use->setObjectName(u"useSelectedButton"_s);

    m_connection->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_connection->setAccessibleName(tr("Connection the record goes to"));
    m_topic->setAccessibleName(tr("Topic"));
    m_topic->setEditable(true);
    m_topic->setInsertPolicy(QComboBox::NoInsert);
    // Names are case-sensitive: a completion must not turn one topic into another.
    auto *completer = new QCompleter(m_topic->model(), m_topic);
    completer->setCaseSensitivity(Qt::CaseSensitive);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    completer->setFilterMode(Qt::MatchContains);
    m_topic->setCompleter(completer);
    m_topic->setMinimumContentsLength(10);
    m_topic->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_use->setAutoDefault(false);
    m_use->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(m_connection);
    layout->addWidget(m_topic, 1);
    layout->addWidget(m_use);
    setFocusProxy(m_topic);
}

QString ComposeTarget::topic() const
{
    return m_topic->currentText();
}

const TopicInfo *ComposeTarget::topicInfo() const
{
    const auto found = std::ranges::find(m_place.topics, topic(), &TopicInfo::name);
    return found == m_place.topics.end() ? nullptr : &*found;
}

ComposeTarget::Place ComposeTarget::place() const
{
    Place place = m_place;
    place.topic = topic();
    return place;
}

void ComposeTarget::setPlace(const Place &place)
{
    m_place.topics = place.topics;
    fillTopics();
    setSession(place.session, place.config);
    m_topic->setEditText(place.topic);
    emit topicsChanged();
}

void ComposeTarget::setSession(SessionHandle *session, const SessionConfig &config)
{
    const bool isOther = session != m_place.session;
    if (isOther && m_place.session)
        m_place.session->disconnect(this);
    m_place.session = session;
    m_place.config = config;
    if (isOther && session) {
        connect(session, &SessionHandle::stateChanged, this, &ComposeTarget::refresh);
        connect(session, &QObject::destroyed, this, &ComposeTarget::refresh);
    }
    refresh();
    if (isOther)
        emit sessionChanged();
}

void ComposeTarget::offer(const Place &place)
{
    m_offer = place;
    if (place.session && !m_place.session && place.isSameBroker(m_place)) {
        setSession(place.session, place.config);
        setTopics(place.session, place.topics);
    }
    refresh();
}

void ComposeTarget::takeOffer()
{
    Place place = m_offer;
    if (place.topic.isEmpty() && place.session == m_place.session)
        place.topic = topic();
    setPlace(place);
}

void ComposeTarget::setTopics(const SessionHandle *session, const TopicList &topics)
{
    if (session == m_offer.session)
        m_offer.topics = topics;
    if (session != m_place.session)
        return;
    m_place.topics = topics;
    fillTopics();
    emit topicsChanged();
}

/// Leaves the box alone when nothing changes: its list may be open.
void ComposeTarget::fillTopics()
{
    QStringList wanted;
    for (const TopicInfo &topic : std::as_const(m_place.topics))
        wanted << topic.name;
    QStringList shown;
    for (int i = 0; i < m_topic->count(); ++i)
        shown << m_topic->itemText(i);
    if (wanted == shown)
        return;
    const QSignalBlocker blocker(m_topic);
    const QString typed = topic();
    m_topic->clear();
    m_topic->addItems(wanted);
    m_topic->setEditText(typed);
}

void ComposeTarget::refresh()
{
    const bool isBound = !m_place.config.host.isEmpty();
    const SessionConfig &config = m_place.config;
    QString name = config.displayName();
    QIcon sign = icon(IconName::Broker);
    if (!isBound) {
        name = tr("no connection");
        sign = icon(IconName::Offline, Tone::Muted);
    } else if (!m_place.session) {
        name = tr("%1 (closed)").arg(name);
        sign = icon(IconName::Offline, Tone::Warning);
    } else if (config.readOnly) {
        sign = icon(IconName::ReadOnly, Tone::Warning);
    } else if (m_place.session->state() == ConnectionState::Lost) {
        sign = icon(IconName::Offline, Tone::Warning);
    }
    m_connection->setLine(name, sign);
    if (isBound) {
        const QString endpoint =
            config.readOnly ? tr("%1, read-only").arg(config.endpoint()) : config.endpoint();
        m_connection->setToolTip(plainToolTip(u"%1, %2"_s.arg(name, endpoint)));
    }

    m_use->setVisible(isOfferDifferent());
    const QString text = tr("Use %1").arg(offerText());
    m_use->setToolTip(plainToolTip(
        tr("The record goes to what is shown here. %1 instead: what you look at now.").arg(text)));
    m_use->setAccessibleName(text);
    QString shown = text.size() > kUseChars ? text.first(kUseChars - 1) + u'…' : text;
    m_use->setText(shown.replace(u'&', u"&&"_s));
}

bool ComposeTarget::isOfferDifferent() const
{
    if (!m_offer.session)
        return false;
    return m_offer.session != m_place.session ||
           (!m_offer.topic.isEmpty() && m_offer.topic != topic());
}

QString ComposeTarget::offerText() const
{
    QString connection = m_offer.config.displayName();
    if (m_offer.topic.isEmpty())
        return connection;
    if (m_offer.session == m_place.session)
        return m_offer.topic;
    return u"%1 / %2"_s.arg(connection, m_offer.topic);
}

} // namespace topicscope::ui
