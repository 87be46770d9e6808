#pragma once

#include "ui/backgroundrun.h"

#include <QAbstractScrollArea>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

class QAction;

namespace topicscope::ui
{

/// Scrolls over the bytes of one payload in rows, without ever turning more than the visible ones
/// into text. Selection is a range of bytes, by mouse and keyboard; it is copied as text, as hex
/// digits or as the very bytes, three different things.
///
/// Finding and copying in more than a MiB is done on another thread; working() says so meanwhile.
/// Thread: GUI.
class ByteView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit ByteView(QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ByteView)

    /// @param owner  keeps the bytes alive as long as they are shown
    void setBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
    void clear() { setBytes({}, nullptr); }
    std::span<const std::byte> bytes() const { return m_bytes; }
    qsizetype byteCount() const { return qsizetype(m_bytes.size()); }

    qsizetype cursor() const { return m_cursor; }
    qsizetype selectionBegin() const { return std::min(m_cursor, m_anchor); }
    qsizetype selectionEnd() const { return std::max(m_cursor, m_anchor); }
    /// The bytes selected, or all of them when nothing is.
    std::span<const std::byte> selectedBytes() const;
    void select(qsizetype begin, qsizetype end);
    /// Selects the next (or previous) place with these bytes, going round at the end; findEnded()
    /// tells whether there is one. Another one takes its place, other bytes end it.
    void find(const QByteArray &needle, bool forward);
    /// What is being done on another thread, in words; empty: nothing.
    QString working() const;
    /// Gives that up.
    void stopWorking();
    /// Moves the cursor there, selects nothing and makes it visible.
    void setCursor(qsizetype position) { moveCursor(position, false); }

    /// The row the cursor is in as it is drawn, and before which of its characters the cursor is.
    struct CursorRow {
        QString text;
        int column = 0;
    };
    virtual CursorRow cursorRow() const = 0;

signals:
    void findEnded(bool found);
    void workingChanged();

public slots:
    void selectAll();
    // Other bytes do not end copying: these are what was to be copied.
    void copyText();
    void copyHex();
    /// As application/octet-stream, for programs that take bytes.
    void copyBytes();

protected:
    // What a kind of view defines. Rows are numbered from 0.
    virtual int rowCount() const = 0;
    virtual int rowOf(qsizetype position) const = 0;
    /// First byte of the row; the payload's size behind the last row.
    virtual qsizetype rowBegin(int row) const = 0;
    /// The byte nearest to a point of the viewport.
    virtual qsizetype positionAt(QPointF point) const = 0;
    /// The position `row` rows below (or above), as nearly under this one as can be.
    virtual qsizetype positionInRow(int row, qsizetype like) const = 0;
    virtual qsizetype nextPosition(qsizetype position) const = 0;
    virtual qsizetype previousPosition(qsizetype position) const = 0;
    virtual void paintRows(QPainter &painter, int firstRow, int count) = 0;
    virtual int contentWidth() const = 0;
    virtual void bytesChanged() = 0;

    /// Whether what is shown can be copied as bytes and hex digits; not so text made of them.
    void offerBytes(bool offered);

    int firstVisibleRow() const;
    int visibleRows() const; ///< partly visible ones included
    int rowHeight() const;
    qreal columnWidth() const;
    int leftEdge() const; ///< x of a row's first pixel in the viewport
    void updateScrollBars();
    virtual void ensureVisible(qsizetype position);

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    /// Puts something into the clipboard.
    using Put = std::function<void()>;
    void copy(Put (*make)(std::span<const std::byte> bytes, const std::stop_token &stop));
    void moveCursor(qsizetype position, bool keepAnchor);
    void cursorMoved();

    QAction *m_copyHex;
    QAction *m_copyBytes;
    std::span<const std::byte> m_bytes;
    std::shared_ptr<const void> m_owner;
    qsizetype m_cursor = 0;
    qsizetype m_anchor = 0;
    BackgroundRun<std::optional<qsizetype>> m_finding;
    BackgroundRun<Put> m_copying;
    qsizetype m_copiedBytes = 0;
};

} // namespace topicscope::ui
