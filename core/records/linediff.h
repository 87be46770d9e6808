#pragma once

#include <QString>
#include <QStringView>

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace topicscope
{

// What differs between two texts or two runs of bytes, side by side. Thread: any (pure).

/// One row of the two side by side.
struct DiffRow {
    enum class Kind { Equal, Changed, LeftOnly, RightOnly };

    Kind kind = Kind::Equal;
    int left = -1; ///< number of the line, from 0; -1: none
    int right = -1;

    bool operator==(const DiffRow &) const = default;
};

/// A text and where its lines are. Lines end with a line feed, which is not part of them; a text of
/// nothing has no line.
class DiffLines
{
public:
    DiffLines() = default;
    explicit DiffLines(QString text);

    int count() const { return int(m_begins.size()); }
    QStringView line(int number) const;

private:
    QString m_text;
    std::vector<qsizetype> m_begins;
};

/// Every line of both, in order, equal ones beside each other. The fewest changes where they are
/// few; else lines that stand once in each text hold the rest together. Where neither helps, lines
/// are set beside each other as they come. Ends early, with nothing, when it is to stop.
std::vector<DiffRow> diffLines(const DiffLines &left, const DiffLines &right,
                               const std::stop_token &stop = {});

/// How much of two lines is the same at their begin and at their end; no character is torn, and the
/// two parts do not overlap.
struct CommonEnds {
    qsizetype begin = 0;
    qsizetype end = 0;
};
CommonEnds commonEnds(QStringView left, QStringView right);

/// A piece of some bytes.
struct BytePiece {
    qsizetype begin = 0;
    qsizetype size = 0;
};

struct BytesDiff {
    std::vector<BytePiece> left; ///< what the rows' numbers mean
    std::vector<BytePiece> right;
    std::vector<DiffRow> rows;
};

/// By rows of 16 bytes. Of the same size: place by place. Otherwise what is the same at the begin
/// and at the end is, and all between has changed.
BytesDiff diffBytes(std::span<const std::byte> left, std::span<const std::byte> right);

} // namespace topicscope
