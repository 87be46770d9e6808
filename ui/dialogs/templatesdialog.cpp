#include "ui/dialogs/templatesdialog.h"

#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "ui/errortext.h"
#include "ui/panels/elidedlabel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int kNameRole = Qt::UserRole + 1; ///< as it is in the store
constexpr int kContentLines = 2;

QString textOf(const std::optional<QByteArray> &bytes)
{
    if (!bytes)
        return TemplatesDialog::tr("null");
    return bytes->isEmpty() ? TemplatesDialog::tr("empty") : previewText(asBytes(*bytes));
}

/// "Key order-7 · headers: 2 · value {"id":7}"
QString textOf(const RecordContent &content)
{
    QStringList parts{TemplatesDialog::tr("Key %1").arg(textOf(content.key))};
    if (!content.headers.isEmpty())
        parts += TemplatesDialog::tr("headers: %1").arg(content.headers.size());
    parts += TemplatesDialog::tr("value %1").arg(textOf(content.value));
    return parts.join(u" · "_s);
}

} // namespace

TemplatesDialog::TemplatesDialog(TemplateStore *store, QWidget *parent)
    : QDialog(parent)
    , m_store(store)
    , m_list(new QListWidget)
    , m_content(new ElidedLabel(kContentLines))
    , m_message(new QLabel)
    , m_use(new QPushButton(tr("&Use")))
    , m_rename(new QPushButton(tr("&Rename")))
    , m_delete(new QPushButton(tr("&Delete")))
    , m_undo(new QPushButton(tr("U&ndo")))
{
    setObjectName(u"templatesDialog"_s);
    setWindowTitle(tr("Templates"));
    m_list->setObjectName(u"templateList"_s);
    m_list->setAccessibleName(tr("Templates"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // a long name is elided
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_use->setObjectName(u"useButton"_s);
    m_rename->setObjectName(u"renameButton"_s);
    m_delete->setObjectName(u"deleteButton"_s);
    m_undo->setObjectName(u"undoButton"_s);
    m_undo->setToolTip(tr("Bring back the template deleted last"));
    m_content->setObjectName(u"contentLabel"_s);
    m_content->setAccessibleName(tr("What is in the template"));
    m_message->setObjectName(u"messageLabel"_s);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    auto *close = new QPushButton(tr("C&lose"));
    auto *buttons = new QVBoxLayout;
    for (QPushButton *button : {m_use, m_rename, m_delete, m_undo}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch();
    buttons->addWidget(close);
    auto *middle = new QHBoxLayout;
    middle->addWidget(m_list, 1);
    middle->addLayout(buttons);
    auto *note = new QLabel(tr("Kept in clear text in %1.").arg(m_store->file()));
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(middle, 1);
    layout->addWidget(m_content);
    layout->addWidget(m_message);
    layout->addWidget(note);
    resize(460, 320);

    connect(m_use, &QPushButton::clicked, this, &TemplatesDialog::use);
    connect(m_list, &QListWidget::itemActivated, this, &TemplatesDialog::use);
    connect(m_rename, &QPushButton::clicked, this,
            [this] { m_list->editItem(m_list->currentItem()); });
    connect(m_delete, &QPushButton::clicked, this, &TemplatesDialog::removeCurrent);
    connect(m_undo, &QPushButton::clicked, this, &TemplatesDialog::bringBack);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_list, &QListWidget::currentItemChanged, this, &TemplatesDialog::refresh);
    connect(m_list, &QListWidget::itemChanged, this, &TemplatesDialog::onRenamed);
    auto *deleteKey = new QShortcut(QKeySequence::Delete, m_list);
    deleteKey->setContext(Qt::WidgetShortcut);
    connect(deleteKey, &QShortcut::activated, this, &TemplatesDialog::removeCurrent);
    fill({});
}

void TemplatesDialog::fill(const QString &current)
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const QString &name : m_store->names()) {
        auto *item = new QListWidgetItem(name, m_list);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        item->setData(kNameRole, name);
        item->setToolTip(name);
        if (name == current)
            m_list->setCurrentItem(item);
    }
    if (!m_list->currentItem() && m_list->count() > 0)
        m_list->setCurrentRow(0);
    refresh();
}

void TemplatesDialog::refresh()
{
    for (QPushButton *button : {m_use, m_rename, m_delete})
        button->setEnabled(m_list->currentItem());
    m_undo->setEnabled(m_removed.has_value());
    if (!m_list->currentItem()) {
        m_content->setLine(tr("There are no templates."));
        return;
    }
    const auto content = m_store->content(current());
    m_content->setLine(content ? textOf(*content) : errorText(content.error()).full());
}

QString TemplatesDialog::current() const
{
    const QListWidgetItem *item = m_list->currentItem();
    return item ? item->data(kNameRole).toString() : QString();
}

void TemplatesDialog::use()
{
    if (!m_list->currentItem())
        return;
    const QString name = current();
    accept();
    emit useRequested(name);
}

void TemplatesDialog::removeCurrent()
{
    if (!m_list->currentItem())
        return;
    const QString name = current();
    const int row = m_list->currentRow();
    const auto content = m_store->content(name);
    if (const auto removed = m_store->remove(name); !removed) {
        m_message->setText(errorText(removed.error()).full());
        return;
    }
    m_removed = content ? std::optional(std::pair(name, *content)) : std::nullopt;
    m_message->setText(tr("“%1” is deleted.").arg(name));
    fill({});
    m_list->setCurrentRow(std::min(row, m_list->count() - 1));
}

void TemplatesDialog::bringBack()
{
    const auto &[name, content] = *m_removed;
    if (m_store->names().contains(name)) {
        m_message->setText(tr("There is another template “%1” now.").arg(name));
        return;
    }
    const auto saved = m_store->save(name, content);
    m_message->setText(saved ? tr("“%1” is back.").arg(name) : errorText(saved.error()).full());
    if (!saved)
        return;
    const QString back = name;
    m_removed.reset();
    fill(back);
    m_list->setFocus();
}

void TemplatesDialog::onRenamed(QListWidgetItem *item)
{
    const QString from = item->data(kNameRole).toString();
    const QString to = item->text().trimmed();
    const auto renamed = m_store->rename(from, to);
    m_message->setText(renamed ? QString() : errorText(renamed.error()).full());
    // Not now: the view is still taking over what was typed.
    QMetaObject::invokeMethod(
        this, [this, name = renamed ? to : from] { fill(name); }, Qt::QueuedConnection);
}

} // namespace topicscope::ui
