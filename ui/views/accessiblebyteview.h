#pragma once

#include <QAccessibleWidget>

namespace topicscope::ui
{

class ByteView;

/// What assistive technology hears of a ByteView: its text is the row of the cursor as it is drawn,
/// its description says at which byte the cursor is. It never makes text of more than that row,
/// however many bytes there are. Thread: GUI.
class AccessibleByteView final : public QAccessibleWidget, public QAccessibleTextInterface
{
public:
    /// Makes every ByteView heard so. May be called again.
    static void install();

    explicit AccessibleByteView(ByteView *view);
    Q_DISABLE_COPY_MOVE(AccessibleByteView)

    void *interface_cast(QAccessible::InterfaceType type) override;
    QAccessible::State state() const override;
    QString text(QAccessible::Text kind) const override;

    // Columns are counted from the beginning of the row.
    QString text(int begin, int end) const override;
    int characterCount() const override;
    int cursorPosition() const override;
    void setCursorPosition(int /*column*/) override {}
    int selectionCount() const override { return 0; }
    void selection(int index, int *begin, int *end) const override;
    void addSelection(int /*begin*/, int /*end*/) override {}
    void removeSelection(int /*index*/) override {}
    void setSelection(int /*index*/, int /*begin*/, int /*end*/) override {}
    QRect characterRect(int /*column*/) const override { return {}; }
    int offsetAtPoint(const QPoint & /*point*/) const override { return -1; }
    void scrollToSubstring(int /*begin*/, int /*end*/) override {}
    QString attributes(int column, int *begin, int *end) const override;

private:
    ~AccessibleByteView() override = default;
    const ByteView *view() const;
};

} // namespace topicscope::ui
