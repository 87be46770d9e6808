#include "ui/views/columnlayout.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QMenu>
#include <QRegularExpression>
#include <QScopedValueRollback>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kMinWidth = 12;
constexpr int kMaxWidth = 5000;
constexpr int kWidthStep = 20;
/// What a column stretched to the right edge has at least.
constexpr int kMinStretchedWidth = 100;

} // namespace

ColumnLayout::ColumnLayout(QHeaderView *header)
    : QObject(header)
    , m_header(header)
{
    header->setSectionsMovable(true);
    header->setMinimumSectionSize(kMinWidth);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionMoved, this, &ColumnLayout::rearranged);
    connect(header, &QHeaderView::sectionResized, this, [this](int section, int, int size) {
        const bool stretched = m_header->stretchLastSection() && neighbour(section, 1) < 0;
        if (size > 0 && !stretched) // 0: hidden; and a stretched one follows the window
            capture(true);
    });
    connect(header, &QWidget::customContextMenuRequested, this, [this](const QPoint &position) {
        auto *menu = new QMenu(m_header);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setObjectName(u"columnMenu"_s);
        fillMenu(menu, m_header->logicalIndexAt(position));
        menu->popup(m_header->mapToGlobal(position));
    });
}

void ColumnLayout::setColumns(const std::vector<Column> &columns)
{
    m_columns = columns;
    apply();
}

void ColumnLayout::setState(const QStringList &state)
{
    if (state == m_state)
        return;
    m_state = state;
    apply();
}

void ColumnLayout::reset()
{
    if (m_state.isEmpty())
        return;
    setState({});
    emit changed();
}

std::vector<ColumnLayout::Arranged> ColumnLayout::parsed(const QStringList &state)
{
    static const QRegularExpression form(u"^(-?)([A-Za-z0-9]{1,40}):(\\d{1,4})$"_s);
    std::vector<Arranged> result;
    for (const QString &entry : state) {
        const auto match = form.match(entry);
        const QString name = match.captured(2);
        if (!match.hasMatch() || std::ranges::count(result, name, &Arranged::name) > 0)
            continue;
        result.push_back({name, match.captured(3).toInt(), match.capturedLength(1) > 0});
    }
    return result;
}

int ColumnLayout::sectionOf(const QString &name) const
{
    const auto found = std::ranges::find(m_columns, name, &Column::name);
    return found == m_columns.end() ? -1 : int(found - m_columns.begin());
}

/// What was arranged, and columns it does not name behind the one they follow by default.
std::vector<ColumnLayout::Arranged> ColumnLayout::arranged() const
{
    std::vector<Arranged> result = parsed(m_state);
    for (size_t i = 0; i < m_columns.size(); ++i) {
        if (std::ranges::count(result, m_columns[i].name, &Arranged::name) > 0)
            continue;
        auto at = result.begin();
        if (i > 0)
            at = std::ranges::find(result, m_columns[i - 1].name, &Arranged::name) + 1;
        result.insert(at, {m_columns[i].name, 0, m_columns[i].hidden});
    }
    return result;
}

void ColumnLayout::apply()
{
    if (m_header->count() != int(m_columns.size()))
        return;
    const QScopedValueRollback applying(m_applying, true);
    std::vector<Arranged> columns = arranged();
    std::erase_if(columns, [this](const Arranged &each) { return sectionOf(each.name) < 0; });
    const bool nothingLeft = std::ranges::all_of(columns, &Arranged::hidden);
    for (size_t i = 0; i < columns.size(); ++i) {
        const Arranged &each = columns[i];
        const int section = sectionOf(each.name);
        m_header->moveSection(m_header->visualIndex(section), int(i));
        m_header->setSectionHidden(section, false); // a hidden one forgets its new width
        const int width = each.width > 0 ? each.width : m_columns[size_t(section)].width;
        m_header->resizeSection(section, std::clamp(width, kMinWidth, kMaxWidth));
    }
    for (const Arranged &each : columns)
        m_header->setSectionHidden(sectionOf(each.name), each.hidden && !nothingLeft);
    const auto last = std::find_if(columns.rbegin(), columns.rend(), [this](const Arranged &each) {
        return !m_header->isSectionHidden(sectionOf(each.name));
    });
    if (m_header->stretchLastSection() && last != columns.rend())
        m_header->resizeSection(sectionOf(last->name), kMinStretchedWidth);
}

/// Another order, or another one is the last now: only this is taken over, and each gets its width
/// again, since the one stretched so far had another one.
void ColumnLayout::rearranged()
{
    if (m_applying)
        return;
    capture(false);
    apply();
}

/// Takes over what the user did to the header. Columns absent now keep their place and width.
void ColumnLayout::capture(bool withWidths)
{
    if (m_applying || m_header->count() != int(m_columns.size()))
        return;
    std::vector<Arranged> columns = arranged();
    std::vector<Arranged> present;
    for (int i = 0; i < m_header->count(); ++i) {
        const int section = m_header->logicalIndex(i);
        Arranged each =
            *std::ranges::find(columns, m_columns[size_t(section)].name, &Arranged::name);
        each.hidden = m_header->isSectionHidden(section);
        const bool stretched = m_header->stretchLastSection() && neighbour(section, 1) < 0;
        const int width = m_header->sectionSize(section);
        if (withWidths && !each.hidden && !stretched)
            each.width = width == m_columns[size_t(section)].width ? 0 : std::min(width, kMaxWidth);
        present.push_back(each);
    }
    QStringList state;
    size_t next = 0;
    for (const Arranged &each : columns) {
        const Arranged &shown = sectionOf(each.name) < 0 ? each : present[next++];
        state.append(u"%1%2:%3"_s.arg(shown.hidden ? u"-"_s : QString(), shown.name,
                                      QString::number(shown.width)));
    }
    if (state == m_state)
        return;
    m_state = state;
    emit changed();
}

void ColumnLayout::setHidden(int section, bool hidden)
{
    {
        const QScopedValueRollback applying(m_applying, true);
        m_header->setSectionHidden(section, hidden);
    }
    rearranged();
}

void ColumnLayout::move(int section, int step)
{
    if (const int other = neighbour(section, step); other >= 0)
        m_header->moveSection(m_header->visualIndex(section), m_header->visualIndex(other));
}

void ColumnLayout::resize(int section, int width)
{
    m_header->resizeSection(section, std::clamp(width, kMinWidth, kMaxWidth));
}

int ColumnLayout::neighbour(int section, int step) const
{
    for (int i = m_header->visualIndex(section) + step; i >= 0 && i < m_header->count();
         i += step) {
        if (!m_header->isSectionHidden(m_header->logicalIndex(i)))
            return m_header->logicalIndex(i);
    }
    return -1;
}

int ColumnLayout::currentSection() const
{
    const auto *view = qobject_cast<const QAbstractItemView *>(m_header->parentWidget());
    return view ? view->currentIndex().column() : -1;
}

void ColumnLayout::fillMenu(QMenu *menu, int section)
{
    const int visible = m_header->count() - m_header->hiddenSectionCount();
    const auto title = [this](int column) {
        return m_header->model()
            ->headerData(column, m_header->orientation())
            .toString()
            .replace(u'&', u"&&"_s);
    };
    for (int i = 0; i < m_header->count(); ++i) {
        const int column = m_header->logicalIndex(i);
        QAction *show = menu->addAction(title(column));
        show->setCheckable(true);
        show->setChecked(!m_header->isSectionHidden(column));
        show->setEnabled(!show->isChecked() || visible > 1); // the last one stays
        connect(show, &QAction::toggled, this,
                [this, column](bool shown) { setHidden(column, !shown); });
    }
    menu->addSeparator();
    if (section < 0)
        section = currentSection();
    if (section >= 0 && section < m_header->count() && !m_header->isSectionHidden(section)) {
        const int width = m_header->sectionSize(section);
        const bool last = neighbour(section, 1) < 0;
        const bool stretched = last && m_header->stretchLastSection();
        const QString name = title(section);
        menu->addAction(tr("Move %1 &Left").arg(name), this, [=, this] { move(section, -1); })
            ->setEnabled(neighbour(section, -1) >= 0);
        menu->addAction(tr("Move %1 &Right").arg(name), this, [=, this] { move(section, 1); })
            ->setEnabled(!last);
        menu->addAction(tr("&Widen %1").arg(name), this,
                        [=, this] { resize(section, width + kWidthStep); })
            ->setEnabled(!stretched);
        menu->addAction(tr("&Narrow %1").arg(name), this,
                        [=, this] { resize(section, width - kWidthStep); })
            ->setEnabled(!stretched && width > kMinWidth);
        menu->addSeparator();
    }
    menu->addAction(tr("Reset &Columns"), this, &ColumnLayout::reset)
        ->setEnabled(!m_state.isEmpty());
}

} // namespace topicscope::ui
