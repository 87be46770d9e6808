#include "ui/panels/searchpanel.h"

#include "core/base/digits.h"
#include "core/records/timeinput.h"
#include "core/records/timestyle.h"
#include "ui/errortext.h"
#include "ui/models/ledgermodel.h"
#include "ui/models/searchrun.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/filteredit.h"
#include "ui/plaintooltip.h"
#include "ui/theme/icons.h"

#include <QComboBox>
#include <QDateTime>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>
#include <chrono>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using search::Coverage;
using search::LedgerTotals;
using search::SearchScope;
using search::Verdict;

namespace
{

enum class Scope { All, Newest, Offsets, Times };

/// Of partitions to choose from in the list; others are typed.
constexpr qsizetype kMostListed = 500;

QString leftText(std::chrono::milliseconds left)
{
    const qint64 seconds = (left.count() + 999) / 1000;
    if (seconds < 120)
        return SearchPanel::tr("about %1 s left").arg(seconds);
    return SearchPanel::tr("about %1 min left").arg(groupedDigits((seconds + 59) / 60));
}

} // namespace

SearchPanel::SearchPanel(SessionFactory factory, QWidget *parent)
    : QWidget(parent)
    , m_run(new SearchRun(std::move(factory), this))
    , m_hits(new HitModel(this))
    , m_ledger(new LedgerModel(this))
{
    buildWidgets();
    wire();
    lookAt({});
    updateRun();
    updateHits();
}

SearchPanel::~SearchPanel()
{
    m_run->disconnect(this);
    m_hits->disconnect(this);
}

void SearchPanel::wire()
{
    connect(m_expression, &QLineEdit::textChanged, this, &SearchPanel::updateCheck);
    connect(m_expression, &QLineEdit::returnPressed, this, &SearchPanel::search);
    connect(m_partitions, &QComboBox::editTextChanged, this, &SearchPanel::updateCheck);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &SearchPanel::updateForm);
    for (QLineEdit *edit : {m_newest, m_from, m_to}) {
        connect(edit, &QLineEdit::textChanged, this, &SearchPanel::updateCheck);
        connect(edit, &QLineEdit::returnPressed, this, &SearchPanel::search);
    }
    connect(m_partitions->lineEdit(), &QLineEdit::returnPressed, this, &SearchPanel::search);
    connect(m_search, &QPushButton::clicked, this, &SearchPanel::search);
    connect(m_stop, &QPushButton::clicked, this, &SearchPanel::stop);
    connect(m_resume, &QPushButton::clicked, this, &SearchPanel::resume);
    connect(m_run, &SearchRun::found, m_hits, &HitModel::add);
    connect(m_run, &SearchRun::changed, this, &SearchPanel::updateRun);
    connect(m_hits, &HitModel::hitsChanged, this, &SearchPanel::updateHits);
    connect(m_hitTable, &QTableView::activated, this,
            [this](const QModelIndex &index) { openHit(index.row()); });
    connect(m_showHit, &QAction::triggered, this,
            [this] { openHit(m_hitTable->currentIndex().row()); });
    connect(m_exportHits, &QAction::triggered, this, &SearchPanel::exportRequested);
    connect(m_ledgerTable, &QTableView::activated, this, [this] {
        m_tabs->setCurrentWidget(m_hitTable);
        m_hitTable->setFocus();
    });
}

// ---------------------------------------------------------------------------------- what to search

void SearchPanel::lookAt(const std::optional<SearchPlace> &place)
{
    const auto topicOf = [](const std::optional<SearchPlace> &of) {
        return of ? std::pair(int(of->connection), of->topic.name) : std::pair(-1, QString());
    };
    const bool isOther = topicOf(place) != topicOf(m_place);
    const bool hadTimes = m_place && m_place->capabilities.offsetsByTime;
    m_place = place;
    m_topic->setText(place ? tr("In %1").arg(place->topic.name) : tr("In no topic"));
    m_topic->setToolTip(
        place ? plainToolTip(tr("%1 on %2").arg(place->topic.name, place->config.displayName()))
              : QString());
    if (isOther) {
        const QSignalBlocker quiet(m_partitions);
        m_partitions->clear();
        m_partitions->addItem(tr("all"));
        if (place) {
            for (const PartitionInfo &each : place->topic.partitions.first(
                     std::min(kMostListed, place->topic.partitions.size())))
                m_partitions->addItem(QString::number(each.id.value));
        }
    }
    if (const bool hasTimes = place && place->capabilities.offsetsByTime;
        m_scope->count() == 0 || hasTimes != hadTimes) {
        const QSignalBlocker quiet(m_scope);
        const int before = m_scope->currentIndex();
        m_scope->clear();
        m_scope->addItems({tr("all records"), tr("the newest"), tr("offsets")});
        if (hasTimes)
            m_scope->addItem(tr("times"));
        m_scope->setCurrentIndex(before >= 0 && before < m_scope->count() ? before : 0);
    }
    updateForm();
}

void SearchPanel::setSelected(const RecordChunkPtr &chunk, int index)
{
    m_selected = chunk;
    m_selectedIndex = index;
    updateCheck();
}

void SearchPanel::updateForm()
{
    const auto scope = Scope(m_scope->currentIndex());
    m_newest->setVisible(scope == Scope::Newest);
    m_range->setVisible(scope == Scope::Offsets || scope == Scope::Times);
    const bool byTime = scope == Scope::Times;
    m_from->setPlaceholderText(tr("start"));
    m_to->setPlaceholderText(tr("end"));
    const QString tip =
        byTime ? tr("A time: “2026-11-30 14:05” or “14:05”, or “-1h”; empty: the log's own")
               : tr("An offset, or “-100” for a hundred before the end; empty: the log's own");
    m_from->setToolTip(tip);
    m_to->setToolTip(tip + u'\n' + tr("It is left out."));
    updateCheck();
}

std::optional<SearchScope> SearchPanel::scope() const
{
    const auto kind = Scope(m_scope->currentIndex());
    if (kind == Scope::All)
        return SearchScope();
    if (kind == Scope::Newest) {
        const auto newest = LogPlace::parse(m_newest->text());
        if (!newest || newest->kind != LogPlace::Kind::Offset || newest->number == 0)
            return std::nullopt;
        return SearchScope{LogPlace::end(newest->number), LogPlace::end()};
    }
    const auto placeIn = [&](const QLineEdit *edit, const LogPlace &open) {
        const QString text = edit->text().trimmed();
        if (text.isEmpty())
            return std::optional(open);
        if (kind == Scope::Offsets)
            return LogPlace::parse(text);
        return LogPlace::parseWithTime(text.startsWith(u'@') ? text : u'@' + text,
                                       QDateTime::currentMSecsSinceEpoch());
    };
    const auto from = placeIn(m_from, LogPlace::start());
    const auto to = placeIn(m_to, LogPlace::end());
    return from && to ? std::optional(SearchScope{*from, *to}) : std::nullopt;
}

/// Those the topic has, or of them those listed.
std::optional<QList<TopicPartition>> SearchPanel::partitions() const
{
    if (!m_place)
        return QList<TopicPartition>();
    QList<PartitionId> all;
    for (const PartitionInfo &each : m_place->topic.partitions)
        all.append(each.id);
    std::ranges::sort(all);
    const QString text = m_partitions->currentText().trimmed();
    const bool isAll = text.isEmpty() || text.compare(tr("all"), Qt::CaseInsensitive) == 0;
    const auto listed = isAll ? std::optional(all) : search::parsePartitions(text);
    if (!listed || !std::ranges::includes(all, *listed)) // both in order
        return std::nullopt;
    QList<TopicPartition> chosen;
    for (const PartitionId id : *listed)
        chosen.append({m_place->topic.name, id});
    return chosen;
}

/// Whether one can search like this, and what the selected record has to do with it.
void SearchPanel::updateCheck()
{
    QString problem;
    if (m_expression->error())
        problem = m_expression->errorText();
    else if (!partitions())
        problem =
            tr("Partitions: a list of those the topic has is expected, like 0,3-5, or “all”.");
    else if (!scope() && Scope(m_scope->currentIndex()) == Scope::Newest)
        problem = tr("How many of the newest records: a number is expected.");
    else if (!scope() && Scope(m_scope->currentIndex()) == Scope::Times)
        problem = tr("A time is expected: 2026-11-30 14:05, 14:05 or -1h.");
    else if (!scope())
        problem = tr("An offset is expected, or -100 for a hundred before the end.");
    m_search->setEnabled(problem.isEmpty() && m_place && m_expression->filter());
    if (!problem.isEmpty()) {
        m_check->setTone(Tone::Danger);
        m_check->setLine(problem, icon(IconName::Warning, Tone::Danger));
        return;
    }
    m_check->setTone(Tone::Muted);
    if (!m_place) {
        m_check->setLine(tr("Open the topic to be searched."));
    } else if (!m_expression->filter()) {
        m_check->setLine(tr("Type what to look for: text, or a comparison like size > 1 MiB."));
    } else if (!m_selected || m_selectedIndex < 0) {
        m_check->setLine(tr("A record selected in the table is tried at once."));
    } else {
        const Record &record = m_selected->records()[size_t(m_selectedIndex)];
        const QString offset = groupedDigits(record.offset.value);
        switch (
            m_expression->filter()->matches(*m_selected, record, search::Filter::kStepsAtOnce)) {
        case Verdict::Yes:
            m_check->setTone(Tone::Good);
            m_check->setLine(tr("Matches the selected record, offset %1.").arg(offset),
                             icon(IconName::Verified, Tone::Good));
            break;
        case Verdict::No:
            m_check->setLine(tr("Does not match the selected record, offset %1.").arg(offset));
            break;
        case Verdict::Undecided:
            m_check->setLine(
                tr("Of the selected record, offset %1, it cannot be said at once.").arg(offset));
            break;
        }
    }
}

// ------------------------------------------------------------------------------------- the search

void SearchPanel::focusExpression()
{
    m_expression->setFocus(Qt::ShortcutFocusReason);
    m_expression->selectAll();
}

void SearchPanel::searchFor(const QString &expression)
{
    m_expression->setText(expression);
    search();
}

void SearchPanel::search()
{
    if (!m_search->isEnabled())
        return;
    const auto filter = m_expression->filterNow();
    const auto where = scope();
    const auto chosen = partitions();
    if (!filter || !where || !chosen)
        return;
    m_searched = m_place;
    m_hits->reset(m_searched->capabilities, m_searched->formats, *filter);
    search::SearchOptions options;
    options.scan.isolation = m_searched->isolation;
    m_run->start(m_searched->config, {.partitions = *chosen,
                                      .scope = *where,
                                      .filter = *filter,
                                      .options = options,
                                      .maxHits = HitModel::kMaxHits,
                                      .maxHitBytes = HitModel::kMaxBytes,
                                      .resumed = {}});
    const QFontMetrics fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    const QFontMetrics plain = fontMetrics();
    for (int section = 0; section + 1 < m_hits->columnCount(); ++section) {
        const RecordColumn column = m_hits->column(section);
        const int width = column == RecordColumn::Partition
                              ? plain.horizontalAdvance(columnTitle(column))
                          : column == RecordColumn::Offset ? fixed.averageCharWidth() * 14
                          : column == RecordColumn::Time
                              ? plain.horizontalAdvance(TimeStyle::current().text(kLongTimeMs))
                              : plain.averageCharWidth() * 18;
        m_hitTable->setColumnWidth(section, width + 14);
    }
    m_tabs->setCurrentWidget(m_hitTable);
}

void SearchPanel::stop()
{
    m_run->stop();
}

void SearchPanel::resume()
{
    m_run->resume();
}

void SearchPanel::forget(ConnectionId connection)
{
    if (m_searched && m_searched->connection == connection) {
        m_searched.reset();
        m_run->clear();
        m_hits->reset({}, {});
    }
    if (m_place && m_place->connection == connection)
        lookAt({});
}

void SearchPanel::updateRun()
{
    if (!m_run->isActive())
        m_hits->flush();
    m_ledger->setLedger(m_run->ledger());
    m_stop->setEnabled(m_run->state() == SearchRun::State::Running);
    m_resume->setEnabled(m_run->canResume());
    m_progress->setVisible(m_run->isActive());
    const LedgerTotals totals = search::totalsOf(m_run->ledger());
    const qint64 done = totals.offsets - totals.of(Coverage::Pending);
    m_progress->setValue(totals.offsets > 0 ? int(1000.0 * double(done) / double(totals.offsets))
                                            : 0);
    const bool hasEnded = m_run->state() == SearchRun::State::Ended;
    const bool isWhole =
        hasEnded && !m_run->error() && !m_run->ledger().empty() && totals.isComplete();
    const bool isTrouble = hasEnded && !isWhole;
    m_status->setTone(isTrouble ? Tone::Warning : Tone::Normal);
    m_status->setLine(runText(), isTrouble ? icon(IconName::Warning, Tone::Warning) : QIcon());
}

QString SearchPanel::runText() const
{
    switch (m_run->state()) {
    case SearchRun::State::Idle:
        return {};
    case SearchRun::State::Running:
        return progressText();
    case SearchRun::State::Stopping:
        return tr("Stopping…");
    case SearchRun::State::Ended:
        break;
    }
    if (m_run->error())
        return tr("Nothing was searched. %1").arg(errorText(*m_run->error()).full());
    if (m_run->ledger().empty())
        return tr("Stopped before anything was searched.");
    QString text = u"%1: %2"_s.arg(m_searched->topic.name, search::outcomeText(m_run->ledger()));
    if (m_hits->isCut())
        text += u' ' + tr("The first %1 hits are shown.").arg(groupedDigits(m_hits->rowCount()));
    return text;
}

QString SearchPanel::progressText() const
{
    const auto &progress = m_run->progress();
    if (!progress)
        return tr("Finding out what there is to search in %1…").arg(m_searched->topic.name);
    const LedgerTotals &totals = progress->totals;
    QString text = tr("Searching %1: %2 of %3 offsets · hits %4 · %5/s")
                       .arg(m_searched->topic.name,
                            groupedDigits(totals.offsets - totals.of(Coverage::Pending)),
                            groupedDigits(totals.offsets), groupedDigits(totals.hits),
                            byteText(qint64(progress->bytesPerSecond)));
    if (progress->left)
        text += u" · "_s + leftText(*progress->left);
    return text;
}

// ------------------------------------------------------------------------------------------- hits

void SearchPanel::updateHits()
{
    const QString found = groupedDigits(m_hits->found());
    QString title = tr("Hits");
    if (m_hits->isCut())
        title = tr("Hits (%1 of %2)").arg(groupedDigits(m_hits->rowCount()), found);
    else if (m_hits->found() > 0)
        title = tr("Hits (%1)").arg(found);
    m_tabs->setTabText(m_tabs->indexOf(m_hitTable), title);
    m_showHit->setEnabled(hasHits());
    m_exportHits->setEnabled(hasHits());
    emit hitsChanged();
}

bool SearchPanel::hasHits() const
{
    return m_searched && m_hits->rowCount() > 0;
}

ExportSubject SearchPanel::exportSubject() const
{
    ExportSubject subject;
    subject.config = m_searched->config;
    subject.capabilities = m_searched->capabilities;
    subject.isolation = m_searched->isolation;
    subject.title = m_searched->topic.name;
    subject.topic = m_searched->topic.name;
    std::vector<RowRef> rows;
    for (const QModelIndex &index : m_hitTable->selectionModel()->selectedRows())
        rows.push_back(m_hits->row(index.row()));
    subject.selected = spansOf(rows, subject.topic);
    rows.clear();
    rows.reserve(size_t(m_hits->rowCount()));
    for (int row = 0; row < m_hits->rowCount(); ++row)
        rows.push_back(m_hits->row(row));
    subject.shown = spansOf(rows, subject.topic);
    subject.found = m_hits->found();
    return subject;
}

bool SearchPanel::isAbout(ConnectionId connection, const QString &topic) const
{
    return m_searched && m_searched->connection == connection && m_searched->topic.name == topic;
}

SearchPanel::Hits SearchPanel::hits() const
{
    if (!m_searched)
        return {};
    return {m_searched->connection, m_searched->topic.name, m_hits->places()};
}

void SearchPanel::openHit(int row)
{
    if (m_searched && row >= 0 && row < m_hits->rowCount())
        emit openRequested(m_searched->connection, m_hits->partitionOf(row),
                           m_hits->row(row).offset());
}

void SearchPanel::step(int step, const std::optional<std::pair<TopicPartition, Offset>> &from)
{
    if (!hasHits())
        return;
    const QModelIndex current = m_hitTable->currentIndex();
    int row = step > 0 ? 0 : m_hits->rowCount() - 1;
    if (from)
        row = m_hits->nextRow(from->first, from->second, step);
    else if (current.isValid())
        row = current.row() + step;
    if (row < 0 || row >= m_hits->rowCount()) {
        emit noticed(step > 0 ? tr("No hit behind this one in what was searched.")
                              : tr("No hit before this one in what was searched."));
        return;
    }
    m_hitTable->setCurrentIndex(m_hits->index(row, 0));
    openHit(row);
}

} // namespace topicscope::ui
