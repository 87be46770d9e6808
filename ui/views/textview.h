#pragma once

#include "ui/views/byteview.h"

#include <QTextLayout>
#include <QTimer>

#include <optional>
#include <vector>

namespace topicscope::ui
{

/// Bytes as text, wrapped at the width of the view. Characters without a glyph, malformed UTF-8 and
/// line ends are drawn, see core/records/payloadformat.h.
///
/// Rows are found by walking through the bytes once, in slices of the event loop; of the row starts
/// every 64th is remembered. So 10 MiB on one line, or a million lines, cost neither time nor
/// memory up front. Thread: GUI.
class TextView final : public ByteView
{
    Q_OBJECT
public:
    enum class Source {
        Payload, ///< bytes as stored
        Drawn,   ///< text made by us, in UTF-8, already drawn: shown as it is
    };

    explicit TextView(QWidget *parent = nullptr);

    void setSource(Source source);
    /// Whether all rows are known; until then the scroll bar still grows.
    bool isIndexed() const { return m_indexed == byteCount(); }
    CursorRow cursorRow() const override;

signals:
    void indexed();

protected:
    int rowCount() const override { return m_rows; }
    int rowOf(qsizetype position) const override;
    qsizetype rowBegin(int row) const override;
    qsizetype positionAt(QPointF point) const override;
    qsizetype positionInRow(int row, qsizetype like) const override;
    qsizetype nextPosition(qsizetype position) const override;
    qsizetype previousPosition(qsizetype position) const override;
    void paintRows(QPainter &painter, int firstRow, int count) override;
    int contentWidth() const override { return m_contentWidth; }
    void bytesChanged() override;
    void ensureVisible(qsizetype position) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// One row made visible: its text and which byte each UTF-16 unit comes from.
    struct Row {
        QString text;
        std::vector<qsizetype> byteOf; ///< one more than text.size(): the row's end
        QList<QTextLayout::FormatRange>
            drawn; ///< the units that stand for something without a glyph
    };

    qsizetype rowEnd(qsizetype begin) const;
    void indexSlice();
    Row makeRow(int row) const;
    void layOut(QTextLayout &layout) const;
    int columnsFor(int width) const;

    Source m_source = Source::Payload;
    std::vector<qsizetype> m_marks; ///< begin of row 64 * i
    int m_rows = 0;
    int m_columns = 80;
    qsizetype m_indexed = 0; ///< bytes looked at
    int m_contentWidth = 0;
    std::optional<qsizetype> m_toReveal; ///< not indexed yet when it was to be made visible
    QTimer m_timer;
};

} // namespace topicscope::ui
