#pragma once

#include "core/records/payloadcodec.h"
#include "ui/backgroundrun.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>
#include <memory>

class QMenu;

namespace topicscope::ui
{

/// The formats a key or a value can be read in, in a menu that is filled each time it opens. Those
/// by a schema file ask for the file, and for the message where it has several. Thread: GUI.
class FormatMenu final : public QObject
{
    Q_OBJECT
public:
    struct State {
        std::shared_ptr<const PayloadCodec> current; ///< null: as it seems to be
        bool hasRegistry = false;
    };

    /// @param state  asked each time
    FormatMenu(QMenu *menu, std::function<State()> state);
    Q_DISABLE_COPY_MOVE(FormatMenu)

signals:
    /// By its name, as core/decode/formats.h has them; "auto": as it seems to be.
    void chosen(const QString &name);

private:
    void fill();
    void offer(QMenu *menu, const QString &text, const QString &name);
    void chooseFile(const QString &kind, const QString &title, const QString &filter);
    void chooseMessage(const QString &file, const QStringList &messages);
    void findMessages(const QString &file);

    QMenu *m_menu;
    QPointer<QMenu> m_numbers;
    std::function<State()> m_state;
    QString m_current; ///< name, while it is filled
    BackgroundRun<QStringList> m_reading;
};

} // namespace topicscope::ui
