#pragma once

#include <QMap>
#include <QString>

#include <functional>

class QWidget;

namespace topicscope::ui
{

/// Lets the user choose a Java client's `client.properties` or kcat's configuration file, and hands
/// over what it says; what was not taken, or why nothing could be, is then told in a message.
/// Thread: GUI; does not wait for the user.
void importConfiguration(QWidget *parent,
                         std::function<void(QMap<QString, QString> properties)> taken);

} // namespace topicscope::ui
