#pragma once

#include "ui/views/byteview.h"

namespace topicscope::ui
{

/// Bytes, 16 a row: position, hex digits, ASCII. Thread: GUI.
class HexView final : public ByteView
{
    Q_OBJECT
public:
    explicit HexView(QWidget *parent = nullptr);

    CursorRow cursorRow() const override;

protected:
    int rowCount() const override;
    int rowOf(qsizetype position) const override;
    qsizetype rowBegin(int row) const override;
    qsizetype positionAt(QPointF point) const override;
    qsizetype positionInRow(int row, qsizetype like) const override;
    qsizetype nextPosition(qsizetype position) const override { return position + 1; }
    qsizetype previousPosition(qsizetype position) const override { return position - 1; }
    void paintRows(QPainter &painter, int firstRow, int count) override;
    int contentWidth() const override;
    void bytesChanged() override {}
    void changeEvent(QEvent *event) override;
};

} // namespace topicscope::ui
