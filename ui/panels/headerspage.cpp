#include "ui/panels/headerspage.h"

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "ui/plaintooltip.h"
#include "ui/theme/palette.h"
#include "ui/views/hexview.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTreeWidget>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

enum Column { Name, Value, Size };

/// Hex digits that are shown of what is no text.
constexpr size_t kMostHexBytes = 64;

/// As text, or as "0x…" what is no UTF-8.
QString shown(const QByteArray &bytes)
{
    const auto span = asBytes(bytes);
    if (isValidUtf8(span))
        return previewText(span);
    QString digits = u"0x"_s + hexString(span.first(std::min(span.size(), kMostHexBytes)));
    return span.size() > kMostHexBytes ? digits + u'…' : digits;
}

/// "null" and "empty" are about the cell, not its content.
void setNote(QTreeWidgetItem *item, int column, const QString &note, const QPalette &palette)
{
    item->setText(column, note);
    QFont font = item->font(column);
    font.setItalic(true);
    item->setFont(column, font);
    item->setForeground(column, toneColor(Tone::Muted, palette));
}

} // namespace

HeadersPage::HeadersPage(QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_table(new QTreeWidget(this))
    , m_bytes(new HexView(this))
{
    m_table->setObjectName(u"headersTable"_s);
    m_table->setAccessibleName(tr("Headers"));
    m_table->setHeaderLabels({tr("Name"), tr("Value"), tr("Size")});
    m_table->headerItem()->setTextAlignment(Size, Qt::AlignRight | Qt::AlignVCenter);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(Value, QHeaderView::Stretch);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_bytes->setObjectName(u"headerBytes"_s);
    m_bytes->setAccessibleName(tr("Bytes of the selected header's value"));
    setChildrenCollapsible(false);

    const auto add = [this](const QString &text, const QKeySequence &keys, auto slot) {
        auto *action = new QAction(text, m_table);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, slot);
        m_table->addAction(action);
    };
    add(tr("&Copy value as text"), QKeySequence::Copy, [this] { copyCurrent(false); });
    add(tr("Copy value as &hex"), tr("Ctrl+Shift+C"), [this] { copyCurrent(true); });
    add(tr("Copy all as &JSON"), tr("Ctrl+Alt+C"), [this] { copyAll(); });
    connect(m_table, &QTreeWidget::currentItemChanged, this, &HeadersPage::showCurrent);
}

void HeadersPage::clear()
{
    m_headers.clear();
    m_table->clear();
    m_bytes->clear();
}

void HeadersPage::showHeaders(const RecordChunk &chunk, const Record &record)
{
    clear();
    if (auto headers = readHeaders(chunk.headers(record)))
        m_headers = std::move(headers).value();
    for (const RecordHeader &header : std::as_const(m_headers)) {
        auto *item = new QTreeWidgetItem(m_table);
        if (header.name.isEmpty())
            setNote(item, Name, tr("empty"), palette());
        else
            item->setText(Name, shown(header.name));
        if (!header.value)
            setNote(item, Value, tr("null"), palette());
        else if (header.value->isEmpty())
            setNote(item, Value, tr("empty"), palette());
        else
            item->setText(Value, shown(*header.value));
        item->setToolTip(Name, plainToolTip(item->text(Name)));
        item->setToolTip(Value, plainToolTip(item->text(Value)));
        if (header.value)
            item->setText(Size, groupedDigits(header.value->size()));
        item->setTextAlignment(Size, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_table->resizeColumnToContents(Name);
    m_table->resizeColumnToContents(Size);
    m_table->setCurrentItem(m_table->topLevelItem(0));
}

void HeadersPage::showCurrent()
{
    m_bytes->clear();
    const int row = m_table->indexOfTopLevelItem(m_table->currentItem());
    if (row < 0 || row >= m_headers.size() || !m_headers[row].value)
        return;
    const auto owner = std::make_shared<const QByteArray>(*m_headers[row].value);
    m_bytes->setBytes(asBytes(*owner), owner);
}

void HeadersPage::copyCurrent(bool asHex)
{
    const int row = m_table->indexOfTopLevelItem(m_table->currentItem());
    if (row < 0 || !m_headers[row].value)
        return;
    const auto bytes = asBytes(*m_headers[row].value);
    QGuiApplication::clipboard()->setText(asHex ? hexString(bytes) : utf8Text(bytes));
}

void HeadersPage::copyAll()
{
    QByteArrayList all;
    for (const RecordHeader &header : std::as_const(m_headers))
        all.append(headerJson(header).take());
    QGuiApplication::clipboard()->setText(u'[' + QString::fromUtf8(all.join(',')) + u']');
}

} // namespace topicscope::ui
