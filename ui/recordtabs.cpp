#include "ui/recordtabs.h"

#include "ui/panels/recordpanel.h"
#include "ui/plaintooltip.h"
#include "ui/theme/icons.h"
#include "ui/views/columnlayout.h"

#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr char kConnectionProperty[] = "connection";
constexpr char kEndpointProperty[] = "endpoint";
constexpr char kConnectionNameProperty[] = "connectionName";

QWidget *makeEmptyPage(QWidget *parent)
{
    auto *page = new QWidget(parent);
    page->setObjectName(u"noTopicOpen"_s);
    auto *picture = new QLabel;
    picture->setPixmap(icon(IconName::Topic, Tone::Muted).pixmap(QSize(48, 48)));
    picture->setAlignment(Qt::AlignCenter);
    auto *title = new QLabel(RecordTabs::tr("No topic open"));
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.4);
    title->setFont(font);
    title->setAlignment(Qt::AlignCenter);
    auto *hint =
        new QLabel(RecordTabs::tr("Select a topic or partition on the left to look into it; press "
                                  "Enter to keep its tab and to work in it."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    auto *layout = new QVBoxLayout(page);
    layout->addStretch();
    layout->addWidget(picture);
    layout->addSpacing(8);
    layout->addWidget(title);
    layout->addWidget(hint);
    layout->addStretch();
    return page;
}

QString kindOf(const RecordPanel &panel)
{
    return panel.partition() ? u"partition"_s : u"topic"_s;
}

} // namespace

RecordTabs::RecordTabs(SessionFactory factory, UiSettings *settings, QWidget *parent)
    : QStackedWidget(parent)
    , m_factory(std::move(factory))
    , m_settings(settings)
    , m_tabs(new QTabWidget(this))
{
    addWidget(makeEmptyPage(this));
    addWidget(m_tabs);
    m_tabs->setObjectName(u"recordTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->setMovable(true);
    m_tabs->tabBar()->setAccessibleName(tr("Open topics and partitions"));
    connect(m_tabs, &QTabWidget::currentChanged, this, &RecordTabs::onCurrentChanged);
}

RecordTabs::~RecordTabs()
{
    m_tabs->disconnect(this);
    delete m_tabs; // the panels say goodbye to members of this
}

RecordPanel *RecordTabs::panel(int index) const
{
    return qobject_cast<RecordPanel *>(m_tabs->widget(index));
}

RecordPanel *RecordTabs::open(ConnectionId connection, const SessionConfig &config,
                              const TopicInfo &topic, std::optional<PartitionId> partition,
                              std::optional<Offset> at)
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        RecordPanel *open = panel(i);
        if (connectionOf(open) != connection || open->topic() != topic.name ||
            open->partition() != partition)
            continue;
        if (open == m_preview)
            m_preview = nullptr; // it stays now
        m_tabs->setCurrentIndex(i);
        if (at && partition)
            open->goToOffset({topic.name, *partition}, *at);
        return open;
    }

    auto *opened = new RecordPanel(m_factory, config, m_tabs);
    opened->setObjectName(u"recordPanel"_s);
    opened->setProperty(kConnectionProperty, quint32(connection));
    opened->setProperty(kConnectionNameProperty, config.displayName());
    wire(opened);
    applySettings(opened);
    readAsBefore(opened, config);
    opened->open(topic, partition, at);
    opened->columns()->setState(m_settings->columns(kindOf(*opened)));
    showHits(opened);
    const int index = m_tabs->addTab(opened, opened->title());
    auto *close = new QToolButton;
    close->setIcon(icon(IconName::Close, Tone::Muted));
    close->setIconSize(QSize(12, 12));
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::NoFocus);
    close->setToolTip(tr("Close this tab"));
    close->setAccessibleName(tr("Close %1").arg(opened->title()));
    connect(close, &QToolButton::clicked, this,
            [this, opened] { closeTab(m_tabs->indexOf(opened)); });
    m_tabs->tabBar()->setTabButton(index, QTabBar::RightSide, close);
    m_tabs->setTabToolTip(index,
                          plainToolTip(tr("%1 on %2").arg(opened->title(), config.displayName())));
    m_tabs->setCurrentIndex(index);
    return opened;
}

void RecordTabs::preview(ConnectionId connection, const SessionConfig &config,
                         const TopicInfo &topic, std::optional<PartitionId> partition)
{
    const QPointer<RecordPanel> last = std::exchange(m_preview, nullptr);
    const int count = m_tabs->count();
    RecordPanel *shown = open(connection, config, topic, partition);
    const bool isNew = m_tabs->count() > count;
    m_preview = isNew || shown == last ? shown : nullptr;
    if (last && last != shown)
        closeTab(m_tabs->indexOf(last));
}

void RecordTabs::wire(RecordPanel *panel)
{
    connect(panel, &RecordPanel::titleChanged, this, [this, panel](const QString &title) {
        m_tabs->setTabText(m_tabs->indexOf(panel), title);
    });
    connect(panel, &RecordPanel::currentRecordChanged, this,
            [this, panel](const RecordChunkPtr &chunk, int index) {
                Looked &looked = m_looked[panel];
                looked.chunk = chunk;
                looked.index = index;
                if (panel == current())
                    emit lookedChanged();
            });
    connect(panel, &RecordPanel::currentNoteChanged, this, [this, panel](const QString &note) {
        m_looked[panel].note = note;
        if (panel == current())
            emit lookedChanged();
    });
    connect(panel, &RecordPanel::stateChanged, this, [this, panel] {
        if (panel == m_preview && panel->isFollowing())
            m_preview = nullptr; // it is worked in
        if (panel == current())
            emit stateChanged();
    });
    connect(panel, &RecordPanel::loaded, this, [this, panel] { emit loaded(panel); });
    connect(panel, &RecordPanel::mapFilled, this, [this, panel] { emit mapFilled(panel); });
    connect(panel, &RecordPanel::exportRequested, this,
            [this, panel] { emit exportRequested(panel); });
    connect(panel, &RecordPanel::searchRequested, this, &RecordTabs::searchRequested);
    connect(panel, &RecordPanel::redriveRequested, this,
            [this, panel] { emit redriveRequested(panel); });
    connect(panel, &RecordPanel::copyToComposerRequested, this,
            &RecordTabs::copyToComposerRequested);
    connect(panel, &RecordPanel::compareRequested, this, &RecordTabs::compareRequested);
    connect(panel, &RecordPanel::markRequested, this, &RecordTabs::markRequested);
    connect(panel, &RecordPanel::compareWithMarkedRequested, this,
            &RecordTabs::compareWithMarkedRequested);
    connect(panel->columns(), &ColumnLayout::changed, this,
            [this, panel] { onColumnsChanged(panel); });
    connect(panel, &QObject::destroyed, this, [this, panel] { m_looked.remove(panel); });
}

void RecordTabs::applySettings()
{
    for (int i = 0; i < m_tabs->count(); ++i)
        applySettings(panel(i));
}

void RecordTabs::applySettings(RecordPanel *panel) const
{
    panel->setByteBudget(m_settings->heldBytes());
    panel->setMaxBytes(m_settings->maxBytes());
    panel->setMapShown(m_settings->showsMap());
}

void RecordTabs::showHits(ConnectionId connection, const QString &topic, MarkedOffsets hits)
{
    m_hits = {connection, topic, std::make_shared<const MarkedOffsets>(std::move(hits))};
    for (int i = 0; i < m_tabs->count(); ++i)
        showHits(panel(i));
}

void RecordTabs::showHits(RecordPanel *panel) const
{
    const bool isTheirs =
        panel->topic() == m_hits.topic && connectionOf(panel) == m_hits.connection;
    panel->setHits(isTheirs ? m_hits.offsets : nullptr);
}

/// Tabs of one kind look alike.
void RecordTabs::onColumnsChanged(const RecordPanel *changed)
{
    const QStringList &state = changed->columns()->state();
    m_settings->setColumns(kindOf(*changed), state);
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (kindOf(*panel(i)) == kindOf(*changed))
            panel(i)->columns()->setState(state);
    }
}

/// Formats of the topic and isolation level of the connection, as they were chosen last.
void RecordTabs::readAsBefore(RecordPanel *opened, const SessionConfig &config)
{
    const QString endpoint = config.endpoint();
    opened->setProperty(kEndpointProperty, endpoint);
    TopicFormats &formats = formatsOf(*connectionOf(opened), config);
    opened->setIsolation(m_settings->isolation(endpoint));
    connect(opened, &RecordPanel::titleChanged, this, [this, opened] { applyFormats(opened); });
    connect(opened, &RecordPanel::isolationChosen, this, [this, endpoint](Isolation isolation) {
        m_settings->setIsolation(endpoint, isolation);
        emit stateChanged();
    });
    connect(
        opened, &RecordPanel::formatChosen, this,
        [this, opened](PayloadPart part, const QString &name) { setFormat(opened, part, name); });
    connect(opened, &RecordPanel::formatRetryRequested, &formats, &TopicFormats::tryAgain);
}

TopicFormats &RecordTabs::formatsOf(ConnectionId connection, const SessionConfig &config)
{
    auto &formats = m_formats[connection];
    if (!formats) {
        formats = std::make_unique<TopicFormats>(config);
        connect(formats.get(), &TopicFormats::changed, this, [this, connection] {
            for (int i = 0; i < m_tabs->count(); ++i) {
                if (connectionOf(panel(i)) == connection)
                    applyFormats(panel(i));
            }
            emit lookedChanged();
            emit stateChanged();
        });
    }
    return *formats;
}

void RecordTabs::applyFormats(RecordPanel *panel)
{
    TopicFormats &formats = *m_formats.at(*connectionOf(panel));
    const auto nameOf = [&](PayloadPart part) {
        return m_settings->format(panel->property(kEndpointProperty).toString(), panel->topic(),
                                  part);
    };
    const QString key = nameOf(PayloadPart::Key);
    const QString value = nameOf(PayloadPart::Value);
    panel->setFormats({formats.named(key), formats.named(value), formats.hasRegistry()});
    const QString problem = formats.problem(value);
    panel->setFormatProblem(problem.isEmpty() ? formats.problem(key) : problem);
}

void RecordTabs::setFormat(const RecordPanel *chosenIn, PayloadPart part, const QString &name)
{
    const QString endpoint = chosenIn->property(kEndpointProperty).toString();
    m_settings->setFormat(endpoint, chosenIn->topic(), part,
                          name == PayloadCodec::automatic()->name() ? QString() : name);
    m_formats.at(*connectionOf(chosenIn))->forget(name); // its file may be another by now
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (panel(i)->property(kEndpointProperty) == endpoint)
            applyFormats(panel(i));
    }
    emit lookedChanged();
    emit stateChanged();
}

std::shared_ptr<const PayloadCodec> RecordTabs::formatNamed(const QString &name)
{
    const auto connection = connectionOf(current());
    return connection ? m_formats.at(*connection)->named(name) : nullptr;
}

RecordTabs::Looked RecordTabs::looked() const
{
    Looked looked = m_looked.value(current());
    if (const RecordPanel *panel = current())
        looked.formats = panel->formats();
    return looked;
}

RecordPanel *RecordTabs::current() const
{
    return panel(m_tabs->currentIndex());
}

std::optional<ConnectionId> RecordTabs::connectionOf(const RecordPanel *panel) const
{
    if (!panel)
        return std::nullopt;
    return ConnectionId{panel->property(kConnectionProperty).toUInt()};
}

std::vector<Place> RecordTabs::places(std::optional<ConnectionId> of) const
{
    std::vector<Place> places;
    const auto add = [&](const RecordPanel *panel) {
        if (of && connectionOf(panel) != of)
            return;
        places.push_back({panel->property(kConnectionNameProperty).toString(), panel->topic(),
                          panel->partition(), std::nullopt});
    };
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (i != m_tabs->currentIndex())
            add(panel(i));
    }
    if (const RecordPanel *last = current())
        add(last);
    return places;
}

void RecordTabs::closeTab(int index)
{
    if (RecordPanel *closed = panel(index)) {
        m_tabs->removeTab(index);
        closed->deleteLater();
    }
}

void RecordTabs::closeCurrent()
{
    closeTab(m_tabs->currentIndex());
}

void RecordTabs::closeConnection(ConnectionId connection)
{
    for (int i = m_tabs->count() - 1; i >= 0; --i) {
        if (connectionOf(panel(i)) == connection)
            closeTab(i);
    }
    m_formats.erase(connection);
}

void RecordTabs::reconnect(ConnectionId connection)
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (connectionOf(panel(i)) == connection)
            panel(i)->reconnect();
    }
}

void RecordTabs::showNextTab(int step)
{
    const int count = m_tabs->count();
    if (count > 0)
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + step + count) % count);
}

void RecordTabs::onCurrentChanged()
{
    setCurrentIndex(m_tabs->count() > 0 ? 1 : 0);
    emit currentChanged(current());
}

} // namespace topicscope::ui
