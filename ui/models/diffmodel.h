#pragma once

#include "core/records/linediff.h"

#include <QAbstractTableModel>
#include <QCache>

#include <functional>
#include <memory>

namespace topicscope::ui
{

/// Two things side by side, made off the GUI thread.
struct SideBySide {
    std::vector<DiffRow> rows;
    /// The text of a line of either side.
    std::function<QString(int)> left = {};
    std::function<QString(int)> right = {};
    bool hasLineNumbers = true;
    QString note = {}; ///< what is to be known of it, e.g. that one is no JSON
};

/// Rows of two texts beside each other. Of a long line so much is shown as holds its difference.
/// Thread: GUI.
class DiffModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { LeftNumber, Left, Mark, RightNumber, Right, ColumnCount };
    enum Role {
        KindRole = Qt::UserRole + 1, ///< int of DiffRow::Kind
        DifferentBeginRole,          ///< of the text shown: what differs from the line beside it
        DifferentSizeRole,
    };

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::shared_ptr<const SideBySide> both);
    void clear() { show(nullptr); }

    /// Runs of rows that differ.
    int differences() const { return int(m_differences.size()); }
    /// The first row of the next one behind `row` (step 1) or before it (step -1); -1: none.
    int nextDifference(int row, int step) const;
    /// Which one, from 0, the row belongs to; -1: none.
    int differenceAt(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Shown {
        QString text;
        qsizetype begin = 0; ///< of what differs
        qsizetype size = 0;
    };

    const Shown &shown(int row, bool isLeft) const;
    static Shown cut(Shown line);

    std::shared_ptr<const SideBySide> m_both;
    mutable QCache<int, std::pair<Shown, Shown>> m_shown{500}; ///< of rows
    std::vector<std::pair<int, int>> m_differences; ///< first row and the one behind the last
};

} // namespace topicscope::ui
