#include "core/records/linediff.h"

#include <QHash>

#include <algorithm>

namespace topicscope
{

namespace
{

constexpr qsizetype kRowBytes = 16;
/// What looking for the fewest changes may cost: lines times changes.
constexpr qint64 kMostSteps = 40'000'000;
constexpr int kMostChanges = 1'500;

/// A part of both texts that is still to be compared.
struct Part {
    int left;
    int leftEnd;
    int right;
    int rightEnd;

    int leftSize() const { return leftEnd - left; }
    int rightSize() const { return rightEnd - right; }
};

/// Lines as numbers: the same one for the same text.
class LineDiff
{
public:
    LineDiff(const DiffLines &left, const DiffLines &right, const std::stop_token &stop)
        : m_stop(stop)
    {
        QHash<QStringView, int> known;
        const auto number = [&known](const DiffLines &lines) {
            std::vector<int> numbers;
            numbers.reserve(size_t(lines.count()));
            for (int i = 0; i < lines.count(); ++i) {
                int &line = known[lines.line(i)]; // 0: never seen
                line = line == 0 ? int(known.size()) : line;
                numbers.push_back(line);
            }
            return numbers;
        };
        m_left = number(left);
        m_right = number(right);
    }

    std::vector<DiffRow> run()
    {
        m_open.push_back({0, int(m_left.size()), 0, int(m_right.size())});
        while (!m_open.empty()) {
            if (m_stop.stop_requested())
                return {};
            const Part part = m_open.back();
            m_open.pop_back();
            compare(part);
        }
        flush();
        return std::move(m_rows);
    }

private:
    void compare(Part part)
    {
        while (part.leftSize() > 0 && part.rightSize() > 0 &&
               m_left[size_t(part.left)] == m_right[size_t(part.right)])
            equal(part.left++, part.right++);
        int same = 0;
        while (part.leftSize() > 0 && part.rightSize() > 0 &&
               m_left[size_t(part.leftEnd - 1)] == m_right[size_t(part.rightEnd - 1)]) {
            --part.leftEnd;
            --part.rightEnd;
            ++same;
        }
        if (same > 0) { // comes behind the rest, whatever that becomes
            const Part tail{part.leftEnd, part.leftEnd + same, part.rightEnd, part.rightEnd + same};
            if (part.leftSize() > 0 || part.rightSize() > 0) {
                m_open.push_back(tail);
                m_open.push_back(part);
                return;
            }
            compare(tail);
            return;
        }
        if (part.leftSize() == 0 || part.rightSize() == 0) {
            changed(part);
            return;
        }
        if (!fewestChanges(part) && !divide(part))
            changed(part);
    }

    void equal(int left, int right)
    {
        flush();
        m_rows.push_back({DiffRow::Kind::Equal, left, right});
    }

    /// All of it: no line is beside an equal one.
    void changed(const Part &part)
    {
        for (int i = part.left; i < part.leftEnd; ++i)
            m_goneLines.push_back(i);
        for (int i = part.right; i < part.rightEnd; ++i)
            m_newLines.push_back(i);
    }

    /// What was gathered between two equal lines.
    void flush()
    {
        const size_t pairs = std::min(m_goneLines.size(), m_newLines.size());
        for (size_t i = 0; i < pairs; ++i)
            m_rows.push_back({DiffRow::Kind::Changed, m_goneLines[i], m_newLines[i]});
        for (size_t i = pairs; i < m_goneLines.size(); ++i)
            m_rows.push_back({DiffRow::Kind::LeftOnly, m_goneLines[i], -1});
        for (size_t i = pairs; i < m_newLines.size(); ++i)
            m_rows.push_back({DiffRow::Kind::RightOnly, -1, m_newLines[i]});
        m_goneLines.clear();
        m_newLines.clear();
    }

    /// Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986), given up
    /// where there are too many. @return whether it came to an end
    bool fewestChanges(const Part &part)
    {
        const int n = part.leftSize();
        const int m = part.rightSize();
        const int most = int(std::min<qint64>(
            {kMostChanges, qint64(n) + m, std::max<qint64>(kMostSteps / (qint64(n) + m), 8)}));
        // How far each diagonal k (left minus right) got, by number of changes.
        std::vector<std::vector<int>> reached;
        std::vector<int> far(size_t(2 * most + 3), 0);
        const auto at = [&](int k) -> int & { return far[size_t(k) + size_t(most) + 1]; };
        for (int d = 0; d <= most; ++d) {
            if (m_stop.stop_requested())
                return false;
            for (int k = -d; k <= d; k += 2) {
                const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
                int x = down ? at(k + 1) : at(k - 1) + 1;
                int y = x - k;
                while (x < n && y < m &&
                       m_left[size_t(part.left) + size_t(x)] ==
                           m_right[size_t(part.right) + size_t(y)]) {
                    ++x;
                    ++y;
                }
                at(k) = x;
                if (x >= n && y >= m) {
                    reached.emplace_back(far.begin() + most + 1 - d, far.begin() + most + 2 + d);
                    trace(part, reached, k);
                    return true;
                }
            }
            reached.emplace_back(far.begin() + most + 1 - d, far.begin() + most + 2 + d);
        }
        return false;
    }

    /// Back from the end, then told in order.
    void trace(const Part &part, const std::vector<std::vector<int>> &reached, int k)
    {
        struct Step {
            int left;
            int right;
            bool isEqual;
        };
        std::vector<Step> steps;
        int x = part.leftSize();
        int y = part.rightSize();
        for (int d = int(reached.size()) - 1; d > 0; --d) {
            const std::vector<int> &before = reached[size_t(d - 1)]; // diagonals -(d-1) … d-1
            const auto at = [&](int diagonal) {
                const int i = diagonal + d - 1;
                return i < 0 || i >= int(before.size()) ? -1 : before[size_t(i)];
            };
            const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
            const int previousK = down ? k + 1 : k - 1;
            const int previousX = at(previousK);
            const int previousY = previousX - previousK;
            const int changedX = down ? previousX : previousX + 1;
            while (x > changedX) {
                --x;
                --y;
                steps.push_back({x, y, true});
            }
            steps.push_back(down ? Step{-1, previousY, false} : Step{previousX, -1, false});
            x = previousX;
            y = previousY;
            k = previousK;
        }
        while (x > 0) {
            --x;
            --y;
            steps.push_back({x, y, true});
        }
        std::ranges::reverse(steps);
        for (const auto &step : steps) {
            if (step.isEqual)
                equal(part.left + step.left, part.right + step.right);
            else if (step.left >= 0)
                m_goneLines.push_back(part.left + step.left);
            else
                m_newLines.push_back(part.right + step.right);
        }
    }

    /// By the lines that stand once in each part, as many as are in the same order.
    /// @return whether there are any
    bool divide(const Part &part)
    {
        struct Seen {
            int left = -1; ///< -2: several times
            int right = -1;
        };
        QHash<int, Seen> seen;
        for (int i = part.left; i < part.leftEnd; ++i) {
            Seen &line = seen[m_left[size_t(i)]];
            line.left = line.left == -1 ? i : -2;
        }
        for (int i = part.right; i < part.rightEnd; ++i) {
            Seen &line = seen[m_right[size_t(i)]];
            line.right = line.right == -1 ? i : -2;
        }
        // The longest run of them whose places grow on both sides.
        std::vector<std::pair<int, int>> once;
        for (int i = part.left; i < part.leftEnd; ++i) {
            const Seen &line = seen[m_left[size_t(i)]];
            if (line.left >= 0 && line.right >= 0)
                once.emplace_back(line.left, line.right);
        }
        std::vector<size_t> ends; // of the shortest run of each length: its last
        std::vector<int> before(once.size(), -1);
        for (size_t i = 0; i < once.size(); ++i) {
            const auto place =
                std::lower_bound(ends.begin(), ends.end(), once[i].second,
                                 [&](size_t end, int right) { return once[end].second < right; });
            if (place != ends.begin())
                before[i] = int(*(place - 1));
            if (place == ends.end())
                ends.push_back(i);
            else
                *place = i;
        }
        if (ends.empty())
            return false;
        // The last part is to be looked at last: parts are taken from the back.
        Part rest = part;
        for (int i = int(ends.back()); i >= 0; i = before[size_t(i)]) {
            const auto [left, right] = once[size_t(i)];
            m_open.push_back({left, rest.leftEnd, right, rest.rightEnd});
            rest.leftEnd = left;
            rest.rightEnd = right;
        }
        m_open.push_back(rest);
        return true;
    }

    std::stop_token m_stop;
    std::vector<int> m_left;
    std::vector<int> m_right;
    std::vector<Part> m_open; ///< the first one last
    std::vector<DiffRow> m_rows;
    std::vector<int> m_goneLines; ///< since the last equal line
    std::vector<int> m_newLines;
};

} // namespace

DiffLines::DiffLines(QString text)
    : m_text(std::move(text))
{
    for (qsizetype begin = 0; begin < m_text.size();) {
        m_begins.push_back(begin);
        const qsizetype end = m_text.indexOf(u'\n', begin);
        begin = end < 0 ? m_text.size() : end + 1;
    }
}

QStringView DiffLines::line(int number) const
{
    const qsizetype begin = m_begins[size_t(number)];
    const bool isLast = number + 1 == count();
    qsizetype end = isLast ? m_text.size() : m_begins[size_t(number) + 1] - 1;
    if (isLast && end > begin && m_text[end - 1] == u'\n')
        --end;
    return QStringView(m_text).sliced(begin, end - begin);
}

std::vector<DiffRow> diffLines(const DiffLines &left, const DiffLines &right,
                               const std::stop_token &stop)
{
    return LineDiff(left, right, stop).run();
}

CommonEnds commonEnds(QStringView left, QStringView right)
{
    CommonEnds common;
    const qsizetype most = std::min(left.size(), right.size());
    while (common.begin < most && left[common.begin] == right[common.begin])
        ++common.begin;
    if (common.begin > 0 && left[common.begin - 1].isHighSurrogate())
        --common.begin;
    while (common.end < most - common.begin &&
           left[left.size() - 1 - common.end] == right[right.size() - 1 - common.end])
        ++common.end;
    if (common.end > 0 && left[left.size() - common.end].isLowSurrogate())
        --common.end;
    return common;
}

BytesDiff diffBytes(std::span<const std::byte> left, std::span<const std::byte> right)
{
    const auto n = qsizetype(left.size());
    const auto m = qsizetype(right.size());
    BytesDiff diff;
    // Rows of two runs beside each other; a run that has ended gives no more.
    const auto add = [&](BytePiece a, BytePiece b, bool isEqual) {
        while (a.size > 0 || b.size > 0) {
            DiffRow row;
            const auto take = [](BytePiece &run, std::vector<BytePiece> &pieces) {
                if (run.size == 0)
                    return -1;
                const qsizetype size = std::min(run.size, kRowBytes);
                pieces.push_back({run.begin, size});
                run.begin += size;
                run.size -= size;
                return int(pieces.size()) - 1;
            };
            row.left = take(a, diff.left);
            row.right = take(b, diff.right);
            row.kind = isEqual         ? DiffRow::Kind::Equal
                       : row.right < 0 ? DiffRow::Kind::LeftOnly
                       : row.left < 0  ? DiffRow::Kind::RightOnly
                                       : DiffRow::Kind::Changed;
            diff.rows.push_back(row);
        }
    };
    if (n == m) {
        for (qsizetype begin = 0; begin < n; begin += kRowBytes) {
            const BytePiece piece{begin, std::min(kRowBytes, n - begin)};
            const auto of = [&](std::span<const std::byte> bytes) {
                return bytes.subspan(size_t(piece.begin), size_t(piece.size));
            };
            add(piece, piece, std::ranges::equal(of(left), of(right)));
        }
        return diff;
    }
    const auto begin = std::ranges::mismatch(left, right).in1 - left.begin();
    qsizetype end = 0;
    while (end < std::min(n, m) - begin && left[size_t(n - 1 - end)] == right[size_t(m - 1 - end)])
        ++end;
    add({0, begin}, {0, begin}, true);
    add({begin, n - end - begin}, {begin, m - end - begin}, false);
    add({n - end, end}, {m - end, end}, true);
    return diff;
}

} // namespace topicscope
