#pragma once

#include <QAbstractItemModel>
#include <QStringList>
#include <QTextDocument>

namespace topicscope::test
{

/// One column of a table model as it is shown, top to bottom.
inline QStringList dumpColumn(const QAbstractItemModel &model, int column)
{
    QStringList result;
    for (int row = 0; row < model.rowCount(); ++row)
        result << model.index(row, column).data().toString();
    return result;
}

/// Each row as it is shown, its cells with | between.
inline QStringList dumpRows(const QAbstractItemModel &model)
{
    QStringList result;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        result << cells.join(QChar(u'|'));
    }
    return result;
}

/// The characters a tool tip shows: Qt takes it for HTML when it looks like it.
inline QString shownToolTip(const QModelIndex &index)
{
    const QString tip = index.data(Qt::ToolTipRole).toString();
    QTextDocument document;
    if (Qt::mightBeRichText(tip))
        document.setHtml(tip);
    else
        document.setPlainText(tip);
    return document.toPlainText();
}

} // namespace topicscope::test
