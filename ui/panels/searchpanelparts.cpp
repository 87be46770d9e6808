// The widgets of a SearchPanel.

#include "ui/delegates/recorddelegate.h"
#include "ui/models/ledgermodel.h"
#include "ui/models/searchrun.h"
#include "ui/panels/elidedlabel.h"
#include "ui/panels/filteredit.h"
#include "ui/panels/searchpanel.h"
#include "ui/theme/icons.h"
#include "ui/views/rowtable.h"

#include <QAction>
#include <QComboBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// A sign before what tells of trouble, so that colour is not all there is.
class TroubleDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (!index.data(LedgerModel::TroubleRole).toBool())
            return;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon(IconName::Warning, Tone::Warning);
    }
};

QTableView *makeTable(const QString &name, const QString &accessibleName, QAbstractItemModel *model)
{
    QTableView *table = makeRowTable(name, accessibleName, model);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignVCenter | Qt::AlignLeft);
    return table;
}

QLineEdit *makeEdit(const QString &name, const QString &accessibleName, int characters)
{
    auto *edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(accessibleName);
    edit->setFixedWidth(edit->fontMetrics().horizontalAdvance(u'0') * characters + 16);
    return edit;
}

QPushButton *makeButton(const QString &name, const QString &text, const QString &tip,
                        std::optional<IconName> iconName = {})
{
    auto *button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    if (iconName)
        button->setIcon(icon(*iconName));
    return button;
}

} // namespace

void SearchPanel::buildWidgets()
{
    m_hitTable = makeTable(u"hitTable"_s, tr("Hits"), m_hits);
    m_hitTable->setItemDelegate(new RecordDelegate(m_hitTable));
    m_hitTable->setSelectionMode(QAbstractItemView::ExtendedSelection); // to be exported
    m_showHit = new QAction(icon(IconName::GoTo), tr("Show at Its Place"), this);
    m_showHit->setObjectName(u"showHitAction"_s);
    m_exportHits = new QAction(icon(IconName::Download), tr("Export Hits…"), this);
    m_exportHits->setObjectName(u"exportFoundAction"_s);
    m_exportHits->setToolTip(tr("Write the hits, or those selected, into a file"));
    m_hitTable->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_hitTable->addActions({m_showHit, m_exportHits});
    m_ledgerTable = makeTable(u"ledgerTable"_s, tr("What was searched, and what not"), m_ledger);
    m_ledgerTable->setItemDelegateForColumn(LedgerModel::NoteColumn,
                                            new TroubleDelegate(m_ledgerTable));
    const int digit = fontMetrics().horizontalAdvance(u'0');
    m_ledgerTable->setColumnWidth(LedgerModel::PartitionColumn, 10 * digit);
    m_ledgerTable->setColumnWidth(LedgerModel::OffsetsColumn, 22 * digit);
    m_ledgerTable->setColumnWidth(LedgerModel::SearchedColumn, 13 * digit);
    m_ledgerTable->setColumnWidth(LedgerModel::HitsColumn, 8 * digit);
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(u"searchTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_hitTable, tr("Hits"));
    m_tabs->addTab(m_ledgerTable, tr("Ledger"));
    auto *exportHits = new QToolButton;
    exportHits->setObjectName(u"exportHitsButton"_s);
    exportHits->setDefaultAction(m_exportHits);
    exportHits->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exportHits->setFocusPolicy(Qt::TabFocus);
    exportHits->setAutoRaise(true);
    m_tabs->setCornerWidget(exportHits);

    m_check = new ElidedLabel;
    m_check->setObjectName(u"searchCheck"_s);
    m_status = new ElidedLabel(2);
    m_status->setObjectName(u"searchStatus"_s);
    m_progress = new QProgressBar;
    m_progress->setObjectName(u"searchProgress"_s);
    m_progress->setAccessibleName(tr("Progress of the search"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(120);
    m_progress->setMaximumHeight(fontMetrics().height());
    m_progress->hide();

    auto *statusRow = new QHBoxLayout;
    statusRow->addWidget(m_status, 1);
    statusRow->addWidget(m_progress);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(buildForm());
    layout->addWidget(m_check);
    layout->addLayout(statusRow);
    layout->addWidget(m_tabs, 1);
    setFocusProxy(m_expression);
}

QWidget *SearchPanel::buildForm()
{
    m_expression = new FilterEdit;
    m_expression->setObjectName(u"searchExpression"_s);
    m_expression->setAccessibleName(tr("What to look for"));
    m_expression->setPlaceholderText(tr("order-42   key == \"a\"   json.id == 42   size > 1 MiB"));
    m_expression->setToolTip(
        tr("Text is looked for in key, value and headers. Fields are key, value, header[\"x\"], "
           "json.a.b, size, offset, partition, time and flag:crc; they are joined by and, or, not "
           "and brackets. Bytes are written x\"00ff\"."));
    m_expression->addAction(icon(IconName::Search, Tone::Muted), QLineEdit::LeadingPosition);
    m_search = makeButton(u"searchButton"_s, tr("&Search"), tr("Search anew (Enter)"));
    m_stop = makeButton(u"stopSearchButton"_s, tr("S&top"),
                        tr("Stop; what was found and searched stays, and can be gone on with"));
    m_resume = makeButton(u"resumeSearchButton"_s, tr("Res&ume"),
                          tr("Go on with what was not reached or failed"));

    m_topic = new QLabel;
    m_topic->setObjectName(u"searchTopic"_s);
    m_topic->setTextFormat(Qt::PlainText);
    m_topic->setMaximumWidth(fontMetrics().averageCharWidth() * 30);
    m_partitions = new QComboBox;
    m_partitions->setObjectName(u"searchPartitions"_s);
    m_partitions->setAccessibleName(tr("Partitions to search"));
    m_partitions->setToolTip(tr("Which partitions: all, or a list like 0,3-5"));
    m_partitions->setEditable(true);
    m_partitions->setInsertPolicy(QComboBox::NoInsert);
    m_partitions->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_partitions->setMinimumContentsLength(6);
    m_scope = new QComboBox;
    m_scope->setObjectName(u"searchScope"_s);
    m_scope->setAccessibleName(tr("Which records to search"));
    m_newest = makeEdit(u"searchNewest"_s, tr("How many of the newest"), 9);
    m_newest->setText(u"100000"_s);
    m_from = makeEdit(u"searchFrom"_s, tr("From"), 16);
    m_to = makeEdit(u"searchTo"_s, tr("To, left out"), 16);
    m_range = new QWidget;
    auto *range = new QHBoxLayout(m_range);
    range->setContentsMargins(0, 0, 0, 0);
    range->addWidget(m_from);
    range->addWidget(new QLabel(u"–"_s));
    range->addWidget(m_to);

    auto *form = new QWidget;
    auto *first = new QHBoxLayout;
    first->addWidget(m_expression, 1);
    first->addWidget(m_search);
    first->addWidget(m_stop);
    first->addWidget(m_resume);
    auto *second = new QHBoxLayout;
    second->addWidget(m_topic);
    second->addWidget(new QLabel(tr("partitions")));
    second->addWidget(m_partitions);
    second->addWidget(m_scope);
    second->addWidget(m_newest);
    second->addWidget(m_range);
    second->addStretch(1);
    auto *layout = new QVBoxLayout(form);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(first);
    layout->addLayout(second);
    return form;
}

} // namespace topicscope::ui
