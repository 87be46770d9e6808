#pragma once

#include "core/profiles/connectionstore.h"
#include "core/profiles/profilesecrets.h"

#include <QObject>

#include <functional>

class QWidget;

namespace topicscope::ui
{

/// Completes a kept connection with its secrets: from memory, the keychain, or the user, who is
/// asked when those do not have them, or are slow. Nothing here waits.
/// Thread: GUI.
class ProfileOpener final : public QObject
{
    Q_OBJECT
public:
    using Opened = std::function<void(const SessionConfig &config)>;

    /// `secrets` must outlive it; `window` is the parent of the question.
    ProfileOpener(ProfileSecrets *secrets, QWidget *window);
    Q_DISABLE_COPY_MOVE(ProfileOpener)

    /// Calls `opened` at once where nothing secret is needed; never when the user gives up.
    void open(const ConnectionStore::Connection &connection, const Opened &opened);

private:
    void ask(const ConnectionStore::Connection &connection, const Secrets &found, bool isAnswered,
             const Opened &opened);

    ProfileSecrets *m_secrets;
    QWidget *m_window;
};

} // namespace topicscope::ui
