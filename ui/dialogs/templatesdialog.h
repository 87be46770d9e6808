#pragma once

#include "ui/settings/templatestore.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace topicscope::ui
{

/// The templates kept: use one, rename it in its place, delete it.
class TemplatesDialog final : public QDialog
{
    Q_OBJECT
public:
    /// `store` must outlive the dialog.
    explicit TemplatesDialog(TemplateStore *store, QWidget *parent = nullptr);
    Q_DISABLE_COPY_MOVE(TemplatesDialog)

signals:
    /// The dialog has closed with it.
    void useRequested(const QString &name);

private:
    void fill(const QString &current);
    void refresh();
    QString current() const;
    void use();
    void removeCurrent();
    void onRenamed(QListWidgetItem *item);

    TemplateStore *m_store;
    QListWidget *m_list;
    QLabel *m_message;
    QPushButton *m_use;
    QPushButton *m_rename;
    QPushButton *m_delete;
};

} // namespace topicscope::ui
