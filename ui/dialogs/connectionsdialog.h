#pragma once

#include "core/profiles/connectionstore.h"
#include "ui/dialogs/profileservices.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace topicscope::ui
{

class ProfileOpener;

/// The connections the user keeps: add, edit, test, remove, connect.
class ConnectionsDialog final : public QDialog
{
    Q_OBJECT
public:
    /// `store` must outlive the dialog.
    ConnectionsDialog(ConnectionStore *store, const ProfileServices &services,
                      QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(ConnectionsDialog)

signals:
    /// The dialog has closed with it; its secrets are still to be added.
    void connectRequested(const topicscope::ConnectionStore::Connection &connection);

private:
    QPushButton *addButton(const QString &name, const QString &text);
    void buildLayout();
    void fill();
    void refresh();
    std::optional<ConnectionStore::Connection> current() const;
    void addConnection();
    void editConnection();
    void removeConnection();
    void testConnection();
    void connectToCurrent();
    void showResult(const QString &text);
    /// Shows the error, if there is one.
    void report(const Result<void> &result);

    ConnectionStore *m_store;
    ProfileServices m_services;
    ProfileOpener *m_opener;
    QTreeWidget *m_list;
    QLabel *m_result;
    QPushButton *m_add;
    QPushButton *m_edit;
    QPushButton *m_testButton;
    QPushButton *m_remove;
    QPushButton *m_connect;
    QPushButton *m_close;
};

} // namespace topicscope::ui
