#include "ui/models/diffmodel.h"

#include "core/base/digits.h"
#include "ui/plaintooltip.h"

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kMostShown = 400;
constexpr qsizetype kShownBefore = 40; ///< of what differs in a long line

QString markOf(DiffRow::Kind kind)
{
    switch (kind) {
    case DiffRow::Kind::Equal:
        return {};
    case DiffRow::Kind::Changed:
        return u"≠"_s;
    case DiffRow::Kind::LeftOnly:
        return u"−"_s;
    case DiffRow::Kind::RightOnly:
        return u"+"_s;
    }
    return {};
}

QString wordsOf(DiffRow::Kind kind)
{
    switch (kind) {
    case DiffRow::Kind::Equal:
        return DiffModel::tr("the same");
    case DiffRow::Kind::Changed:
        return DiffModel::tr("different");
    case DiffRow::Kind::LeftOnly:
        return DiffModel::tr("only on the left");
    case DiffRow::Kind::RightOnly:
        return DiffModel::tr("only on the right");
    }
    return {};
}

} // namespace

void DiffModel::show(std::shared_ptr<const SideBySide> both)
{
    beginResetModel();
    m_both = std::move(both);
    m_shown.clear();
    m_differences.clear();
    for (int row = 0; row < rowCount(); ++row) {
        if (m_both->rows[size_t(row)].kind == DiffRow::Kind::Equal)
            continue;
        if (m_differences.empty() || m_differences.back().second < row)
            m_differences.emplace_back(row, row);
        m_differences.back().second = row + 1;
    }
    endResetModel();
}

int DiffModel::nextDifference(int row, int step) const
{
    if (step > 0) {
        const auto next =
            std::ranges::upper_bound(m_differences, row, {}, &std::pair<int, int>::first);
        return next == m_differences.end() ? -1 : next->first;
    }
    const auto here = std::ranges::lower_bound(m_differences, row, {}, &std::pair<int, int>::first);
    return here == m_differences.begin() ? -1 : (here - 1)->first;
}

int DiffModel::differenceAt(int row) const
{
    const auto behind =
        std::ranges::upper_bound(m_differences, row, {}, &std::pair<int, int>::first);
    if (behind == m_differences.begin() || (behind - 1)->second <= row)
        return -1;
    return int(behind - m_differences.begin()) - 1;
}

int DiffModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_both ? 0 : int(m_both->rows.size());
}

int DiffModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

/// So much of a long line as holds its difference.
DiffModel::Shown DiffModel::cut(Shown result)
{
    if (result.text.size() <= kMostShown)
        return result;
    qsizetype from = std::max<qsizetype>(result.begin - kShownBefore, 0);
    if (from > 0 && result.text[from].isLowSurrogate())
        --from;
    qsizetype to = std::min(from + kMostShown, result.text.size());
    if (to < result.text.size() && result.text[to].isLowSurrogate())
        --to;
    const bool isCutBefore = from > 0;
    const bool isCutBehind = to < result.text.size();
    result.text = result.text.sliced(from, to - from);
    result.begin -= from;
    if (isCutBefore) {
        result.text.prepend(u'…');
        ++result.begin;
    }
    result.size = std::clamp<qsizetype>(result.size, 0, result.text.size() - result.begin);
    if (isCutBehind)
        result.text += u'…';
    return result;
}

/// Lines may be as long as a record: they are not looked through with each word that is drawn.
const DiffModel::Shown &DiffModel::shown(int row, bool isLeft) const
{
    const std::pair<Shown, Shown> *known = m_shown.object(row);
    if (!known) {
        const DiffRow &line = m_both->rows[size_t(row)];
        auto both = std::make_unique<std::pair<Shown, Shown>>();
        Shown &left = both->first;
        Shown &right = both->second;
        left.text = line.left < 0 ? QString() : m_both->left(line.left);
        right.text = line.right < 0 ? QString() : m_both->right(line.right);
        if (line.kind == DiffRow::Kind::Changed) {
            const CommonEnds common = commonEnds(left.text, right.text);
            for (Shown *side : {&left, &right}) {
                side->begin = common.begin;
                side->size = side->text.size() - common.begin - common.end;
            }
        }
        left = cut(std::move(left));
        right = cut(std::move(right));
        known = both.get();
        m_shown.insert(row, both.release());
    }
    return isLeft ? known->first : known->second;
}

QVariant DiffModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const DiffRow &row = m_both->rows[size_t(index.row())];
    const auto column = Column(index.column());
    const bool isText = column == Left || column == Right;
    const bool isLeft = column == LeftNumber || column == Left;
    switch (role) {
    case Qt::DisplayRole:
        if (isText)
            return shown(index.row(), isLeft).text;
        if (column == Mark)
            return markOf(row.kind);
        if (const int line = isLeft ? row.left : row.right; line >= 0 && m_both->hasLineNumbers)
            return groupedDigits(line + 1);
        return {};
    case Qt::AccessibleTextRole:
        if (column == Mark)
            return wordsOf(row.kind);
        if (isText)
            return tr("%1: %2").arg(wordsOf(row.kind), shown(index.row(), isLeft).text);
        return {};
    case Qt::ToolTipRole:
        if (column == Mark)
            return plainToolTip(wordsOf(row.kind));
        return {};
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isText           ? Qt::AlignLeft
                                       : column == Mark ? Qt::AlignHCenter
                                                        : Qt::AlignRight));
    case KindRole:
        return int(row.kind);
    case DifferentBeginRole:
        return isText ? QVariant(int(shown(index.row(), isLeft).begin)) : QVariant();
    case DifferentSizeRole:
        return isText ? QVariant(int(shown(index.row(), isLeft).size)) : QVariant();
    default:
        return {};
    }
}

QVariant DiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case LeftNumber:
    case RightNumber:
        return tr("Line");
    case Left:
        return tr("Left");
    case Right:
        return tr("Right");
    default:
        return {};
    }
}

} // namespace topicscope::ui
