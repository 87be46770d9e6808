#include "ui/views/accessiblebyteview.h"

#include "core/base/digits.h"
#include "ui/views/byteview.h"

namespace topicscope::ui
{

namespace
{

QAccessibleInterface *make(const QString & /*className*/, QObject *object)
{
    auto *view = qobject_cast<ByteView *>(object);
    return view ? new AccessibleByteView(view) : nullptr;
}

} // namespace

void AccessibleByteView::install()
{
    QAccessible::installFactory(make); // once, however often it is asked for
}

AccessibleByteView::AccessibleByteView(ByteView *view)
    : QAccessibleWidget(view, QAccessible::EditableText)
{
}

const ByteView *AccessibleByteView::view() const
{
    return static_cast<const ByteView *>(widget());
}

void *AccessibleByteView::interface_cast(QAccessible::InterfaceType type)
{
    if (type == QAccessible::TextInterface)
        return static_cast<QAccessibleTextInterface *>(this);
    return QAccessibleWidget::interface_cast(type);
}

QAccessible::State AccessibleByteView::state() const
{
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = true;
    state.multiLine = true;
    return state;
}

QString AccessibleByteView::text(QAccessible::Text kind) const
{
    if (kind == QAccessible::Value)
        return view()->cursorRow().text;
    if (kind != QAccessible::Description)
        return QAccessibleWidget::text(kind);
    const QString cursor = groupedDigits(view()->cursor());
    const QString count = groupedDigits(view()->byteCount());
    const qsizetype selected = view()->selectionEnd() - view()->selectionBegin();
    return selected > 0 ? ByteView::tr("Byte %1 of %2, %3 selected")
                              .arg(cursor, count, groupedDigits(selected))
                        : ByteView::tr("Byte %1 of %2").arg(cursor, count);
}

QString AccessibleByteView::text(int begin, int end) const
{
    const QString row = view()->cursorRow().text;
    const auto bound = [&row](int column) { return qBound(0, column, int(row.size())); };
    return row.mid(bound(begin), bound(end) - bound(begin));
}

int AccessibleByteView::characterCount() const
{
    return int(view()->cursorRow().text.size());
}

int AccessibleByteView::cursorPosition() const
{
    return view()->cursorRow().column;
}

void AccessibleByteView::selection(int /*index*/, int *begin, int *end) const
{
    *begin = *end = 0;
}

QString AccessibleByteView::attributes(int /*column*/, int *begin, int *end) const
{
    *begin = 0;
    *end = characterCount();
    return {};
}

} // namespace topicscope::ui
