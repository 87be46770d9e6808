#include "ui/dialogs/connectionsdialog.h"

#include "core/profiles/profilesecrets.h"
#include "ui/dialogs/connectdialog.h"
#include "ui/dialogs/doctordialog.h"
#include "ui/dialogs/profileopener.h"
#include "ui/errortext.h"
#include "ui/theme/icons.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QShortcut>
#include <QTreeWidget>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int kIdRole = Qt::UserRole + 1;
enum Column { NameColumn, AddressColumn, ModeColumn };
} // namespace

ConnectionsDialog::ConnectionsDialog(ConnectionStore *store, const ProfileServices &services,
                                     QWidget *parent)
    : QDialog(parent)
    , m_store(store)
    , m_services(services)
    , m_opener(new ProfileOpener(services.secrets, this))
    , m_list(new QTreeWidget)
    , m_result(new QLabel)
    , m_add(addButton(u"addButton"_s, tr("&Add…")))
    , m_edit(addButton(u"editButton"_s, tr("&Edit…")))
    , m_testButton(addButton(u"testButton"_s, tr("&Test…")))
    , m_remove(addButton(u"removeButton"_s, tr("&Remove")))
    , m_connect(addButton(u"connectButton"_s, tr("&Connect")))
    , m_close(addButton(u"closeButton"_s, tr("C&lose")))
{
    setWindowTitle(tr("Connections"));
    buildLayout();
    connect(m_add, &QPushButton::clicked, this, &ConnectionsDialog::addConnection);
    connect(m_edit, &QPushButton::clicked, this, &ConnectionsDialog::editConnection);
    connect(m_testButton, &QPushButton::clicked, this, &ConnectionsDialog::testConnection);
    connect(m_remove, &QPushButton::clicked, this, &ConnectionsDialog::removeConnection);
    connect(m_connect, &QPushButton::clicked, this, &ConnectionsDialog::connectToCurrent);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemDoubleClicked, this, &ConnectionsDialog::connectToCurrent);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] {
        showResult({});
        refresh();
    });
    auto *deleteKey = new QShortcut(QKeySequence::Delete, m_list);
    deleteKey->setContext(Qt::WidgetShortcut);
    connect(deleteKey, &QShortcut::activated, this, &ConnectionsDialog::removeConnection);
    connect(m_store, &ConnectionStore::changed, this, &ConnectionsDialog::fill);
    m_store->reload();
    fill();
}

QPushButton *ConnectionsDialog::addButton(const QString &name, const QString &text)
{
    auto *button = new QPushButton(text);
    button->setObjectName(name);
    button->setAutoDefault(false);
    return button;
}

void ConnectionsDialog::buildLayout()
{
    m_list->setObjectName(u"connectionList"_s);
    m_list->setAccessibleName(tr("Connections"));
    m_list->setHeaderLabels({tr("Name"), tr("Address"), tr("Mode")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->header()->setStretchLastSection(true);
    m_list->setColumnWidth(NameColumn, 190);
    m_list->setColumnWidth(AddressColumn, 190);
    m_result->setObjectName(u"result"_s);
    m_result->setWordWrap(true);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_result->setMinimumHeight(2 * m_result->fontMetrics().lineSpacing());

    auto *buttons = new QVBoxLayout;
    buttons->addWidget(m_connect);
    buttons->addSpacing(8);
    for (QPushButton *button : {m_add, m_edit, m_testButton, m_remove})
        buttons->addWidget(button);
    buttons->addStretch();
    buttons->addWidget(m_close);
    auto *left = new QVBoxLayout;
    left->addWidget(m_list, 1);
    left->addWidget(m_result);
    auto *layout = new QHBoxLayout(this);
    layout->addLayout(left, 1);
    layout->addLayout(buttons);
    m_connect->setDefault(true); // the dialog's by now, or it would be so until the focus moves
    resize(640, 360);
    m_list->setFocus();
}

void ConnectionsDialog::fill()
{
    const auto chosen = m_list->currentItem()
                            ? m_list->currentItem()->data(NameColumn, kIdRole).toString()
                            : QString();
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    m_list->clear();
    for (const ConnectionStore::Connection &connection : m_store->connections()) {
        const SessionConfig &config = connection.config;
        auto *item = new QTreeWidgetItem(
            m_list, {config.name.isEmpty() ? config.endpoint() : config.name, config.endpoint(),
                     config.readOnly ? tr("read-only") : QString()});
        item->setIcon(NameColumn, icon(IconName::Broker));
        if (config.readOnly)
            item->setIcon(ModeColumn, icon(IconName::ReadOnly, Tone::Warning));
        item->setData(NameColumn, kIdRole, connection.id);
        if (connection.id == chosen)
            m_list->setCurrentItem(item);
    }
    // What was chosen is gone: its neighbour.
    if (!m_list->currentItem() && m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(
            m_list->topLevelItem(qBound(0, row, m_list->topLevelItemCount() - 1)));
    refresh();
}

std::optional<ConnectionStore::Connection> ConnectionsDialog::current() const
{
    const QTreeWidgetItem *item = m_list->currentItem();
    return item ? m_store->byId(item->data(NameColumn, kIdRole).toString()) : std::nullopt;
}

void ConnectionsDialog::refresh()
{
    const bool any = current().has_value();
    for (QPushButton *button : {m_edit, m_testButton, m_remove, m_connect})
        button->setEnabled(any);
    m_add->setEnabled(m_store->connections().size() < ConnectionStore::kMaxConnections);
    if (m_list->topLevelItemCount() == 0)
        showResult(tr("No connections are kept yet. Add one."));
}

void ConnectionsDialog::addConnection()
{
    auto *dialog = new ConnectDialog(m_services, ConnectDialog::Purpose::Add, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto config = dialog->config();
        if (!config)
            return;
        const Result<QString> id = m_store->add(*config);
        if (!id) {
            report(id.error());
            return;
        }
        m_services.secrets->keep(*id, secretsOf(*config), dialog->remembersSecrets());
        m_list->setCurrentItem(m_list->topLevelItem(m_list->topLevelItemCount() - 1));
        showResult({});
    });
    dialog->open();
}

void ConnectionsDialog::editConnection()
{
    const auto edited = current();
    if (!edited)
        return;
    auto *dialog = new ConnectDialog(m_services, ConnectDialog::Purpose::Edit, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setConfig(edited->config);
    m_services.secrets->find(edited->id, edited->secrets, dialog,
                             [dialog](const Secrets &found) { dialog->addSecrets(found); });
    connect(dialog, &QDialog::accepted, this, [this, dialog, id = edited->id] {
        const auto config = dialog->config();
        if (!config)
            return;
        // First the secrets: an open connection is opened anew with them.
        const QStringList dropped = dialog->droppedSecrets();
        m_services.secrets->forget(id, dropped);
        m_services.secrets->keep(id, secretsOf(*config), dialog->remembersSecrets());
        report(m_store->update(id, *config, dropped));
    });
    dialog->open();
}

void ConnectionsDialog::removeConnection()
{
    const auto removed = current();
    if (!removed)
        return;
    auto *question = new QMessageBox(
        QMessageBox::Question, tr("Remove Connection"),
        tr("Remove “%1” (%2) from the list?").arg(removed->config.name, removed->config.endpoint()),
        QMessageBox::NoButton, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    const auto *yes = question->addButton(tr("&Remove"), QMessageBox::AcceptRole);
    question->addButton(QMessageBox::Cancel);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QAbstractButton::clicked, this,
            [this, id = removed->id, secrets = removed->secrets] {
                m_services.secrets->forget(id, secrets);
                report(m_store->remove(id));
            });
    question->open();
}

void ConnectionsDialog::testConnection()
{
    if (const auto tested = current()) {
        m_opener->open(*tested, [this](const SessionConfig &config) {
            DoctorDialog::open(m_services.factory, config, this);
        });
    }
}

void ConnectionsDialog::connectToCurrent()
{
    const auto chosen = current();
    if (!chosen)
        return;
    accept();
    emit connectRequested(*chosen);
}

void ConnectionsDialog::showResult(const QString &text)
{
    m_result->setText(text);
}

void ConnectionsDialog::report(const Result<void> &result)
{
    if (!result)
        showResult(errorText(result.error()).full());
}

} // namespace topicscope::ui
