#include "ui/panels/headersedit.h"

#include "core/base/digits.h"
#include "ui/models/headerlistmodel.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>

#include <limits>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kRowsShown = 3;

/// A list to choose the form from; text fields that cut nothing.
class HeaderDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem & /*option*/,
                          const QModelIndex &index) const override
    {
        if (index.column() != HeaderListModel::FormColumn) {
            auto *edit = new QLineEdit(parent);
            edit->setFrame(false);
            edit->setMaxLength(std::numeric_limits<int>::max());
            return edit;
        }
        auto *box = new QComboBox(parent);
        using Form = HeaderListModel::Form;
        for (const Form form : {Form::Text, Form::Hex, Form::Null})
            box->addItem(HeaderListModel::formName(form), QVariant::fromValue(form));
        connect(box, &QComboBox::activated, this, [this, box] {
            auto *self = const_cast<HeaderDelegate *>(this); // NOLINT: createEditor() is const
            emit self->commitData(box);
            emit self->closeEditor(box);
        });
        return box;
    }

    void setEditorData(QWidget *editor, const QModelIndex &index) const override
    {
        if (auto *box = qobject_cast<QComboBox *>(editor))
            box->setCurrentIndex(box->findData(index.data(HeaderListModel::FormRole)));
        else
            QStyledItemDelegate::setEditorData(editor, index);
    }

    void setModelData(QWidget *editor, QAbstractItemModel *model,
                      const QModelIndex &index) const override
    {
        if (const auto *box = qobject_cast<QComboBox *>(editor))
            model->setData(index, box->currentData(), HeaderListModel::FormRole);
        else
            QStyledItemDelegate::setModelData(editor, model, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        using Form = HeaderListModel::Form;
        const auto form = index.data(HeaderListModel::FormRole).value<Form>();
        if (form == Form::Null && index.column() == HeaderListModel::FormColumn)
            option->font.setItalic(true);
    }
};

} // namespace

HeadersEdit::HeadersEdit(QWidget *parent)
    : QWidget(parent)
    , m_model(new HeaderListModel(this))
    , m_view(new QTableView)
    , m_fold(new QToolButton)
    , m_add(makeAction(tr("Add a header"), Qt::Key_Insert, "addHeader"))
    , m_remove(makeAction(tr("Remove the header"), Qt::Key_Delete, "removeHeader"))
    , m_up(makeAction(tr("Move the header up"), Qt::ALT | Qt::Key_Up, "headerUp"))
    , m_down(makeAction(tr("Move the header down"), Qt::ALT | Qt::Key_Down, "headerDown"))
{
    m_view->setObjectName(u"headerGrid"_s);
    m_view->setAccessibleName(tr("Headers"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new HeaderDelegate(m_view));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    const int line = m_view->fontMetrics().height() + 6;
    m_view->verticalHeader()->setDefaultSectionSize(line);
    m_view->verticalHeader()->setVisible(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->setColumnWidth(HeaderListModel::NameColumn, 130);
    m_view->setColumnWidth(HeaderListModel::FormColumn, 60);
    m_view->setFixedHeight(line * kRowsShown + m_view->horizontalHeader()->sizeHint().height() + 2);

    m_fold->setObjectName(u"headerFold"_s);
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_add->setIcon(icon(IconName::Add));
    m_remove->setIcon(icon(IconName::Remove));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins({});
    bar->setSpacing(2);
    bar->addWidget(m_fold);
    for (QAction *action : {m_add, m_remove, m_up, m_down}) {
        auto *button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        if (action == m_up)
            button->setArrowType(Qt::UpArrow);
        if (action == m_down)
            button->setArrowType(Qt::DownArrow);
        bar->addWidget(button);
        m_view->addAction(action);
        if (action != m_add)
            connect(m_fold, &QToolButton::toggled, button, &QWidget::setVisible);
    }
    bar->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_view);
    setFocusProxy(m_fold);

    connect(m_fold, &QToolButton::toggled, this, &HeadersEdit::setUnfolded);
    connect(m_add, &QAction::triggered, this, &HeadersEdit::add);
    connect(m_remove, &QAction::triggered, this, &HeadersEdit::removeCurrent);
    connect(m_up, &QAction::triggered, this, [this] { move(-1); });
    connect(m_down, &QAction::triggered, this, [this] { move(1); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &HeadersEdit::refresh);
    connect(m_model, &HeaderListModel::changed, this, [this] {
        refresh();
        emit changed();
    });
    connect(m_model, &HeaderListModel::refused, this, [this](const QString &why) {
        m_refused = true;
        emit refused(why);
    });
    m_fold->setChecked(true);
    m_fold->setChecked(false); // tells the buttons
    refresh();
}

HeadersEdit::~HeadersEdit()
{
    // Grid and model tell their changes while they go, too.
    m_view->selectionModel()->disconnect(this);
    m_model->disconnect(this);
}

QAction *HeadersEdit::makeAction(const QString &text, const QKeySequence &shortcut,
                                 const char *name)
{
    auto *action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcut(shortcut);
    // In the grid alone, and not while a cell is edited, where these keys have their own meaning.
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setToolTip(text + u" ("_s + shortcut.toString(QKeySequence::NativeText) + u')');
    return action;
}

const HeaderList &HeadersEdit::headers() const
{
    return m_model->headers();
}

void HeadersEdit::setHeaders(const HeaderList &headers)
{
    m_fold->setChecked(!headers.isEmpty());
    m_model->setHeaders(headers);
}

bool HeadersEdit::commit()
{
    m_refused = false;
    if (QWidget *editor = m_view->indexWidget(m_view->currentIndex())) {
        auto *delegate = m_view->itemDelegate();
        emit delegate->commitData(editor);
        emit delegate->closeEditor(editor);
    }
    return !m_refused;
}

void HeadersEdit::setUnfolded(bool unfolded)
{
    if (!unfolded)
        commit();
    m_view->setVisible(unfolded);
    m_fold->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
    refresh();
}

void HeadersEdit::refresh()
{
    const auto count = m_model->headers().size();
    const int row = m_view->currentIndex().row();
    m_fold->setText(count == 0   ? tr("none")
                    : count == 1 ? tr("1 header")
                                 : tr("%1 headers").arg(groupedDigits(count)));
    m_remove->setEnabled(row >= 0);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < count);
}

void HeadersEdit::add()
{
    if (!commit())
        return;
    m_fold->setChecked(true);
    const QModelIndex name = m_model->index(m_model->add(), HeaderListModel::NameColumn);
    m_view->setCurrentIndex(name);
    m_view->scrollTo(name);
    m_view->setFocus();
    m_view->edit(name);
}

void HeadersEdit::move(int by)
{
    if (commit() && m_model->move(m_view->currentIndex().row(), by))
        refresh();
}

void HeadersEdit::removeCurrent()
{
    const int row = m_view->currentIndex().row();
    m_model->remove(row);
    if (m_model->rowCount() > 0)
        m_view->setCurrentIndex(
            m_model->index(qMin(row, m_model->rowCount() - 1), HeaderListModel::NameColumn));
    refresh();
}

} // namespace topicscope::ui
