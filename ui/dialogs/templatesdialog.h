#pragma once

#include "ui/settings/templatestore.h"

#include <QDialog>

#include <optional>
#include <utility>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace topicscope::ui
{

class ElidedLabel;

/// The templates kept: what is in them; use one, rename it in its place, delete it, or bring back
/// the one deleted last. Thread: GUI.
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
    void bringBack();
    void onRenamed(QListWidgetItem *item);

    TemplateStore *m_store;
    std::optional<std::pair<QString, RecordContent>> m_removed; ///< the last one
    QListWidget *m_list;
    ElidedLabel *m_content;
    QLabel *m_message;
    QPushButton *m_use;
    QPushButton *m_rename;
    QPushButton *m_delete;
    QPushButton *m_undo;
};

} // namespace topicscope::ui
