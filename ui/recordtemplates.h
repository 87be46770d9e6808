#pragma once

#include "ui/settings/templatestore.h"

#include <QObject>

class QMenu;

namespace topicscope::ui
{

class ComposePanel;

/// The composer's menu of templates: saves what is composed, brings a kept one back.
class RecordTemplates final : public QObject
{
    Q_OBJECT
public:
    /// @param panel  owns this
    RecordTemplates(const QString &file, ComposePanel *panel);
    Q_DISABLE_COPY_MOVE(RecordTemplates)

private:
    void fillMenu(QMenu *menu);
    void askForName();
    void save(const QString &name);
    void use(const QString &name);
    void manage();

    TemplateStore m_store;
    ComposePanel *m_panel;
};

} // namespace topicscope::ui
