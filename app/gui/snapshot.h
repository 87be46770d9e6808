#pragma once

#include <QObject>
#include <QSize>
#include <QString>

namespace topicscope::ui
{
class MainWindow;
}

namespace topicscope::gui
{

/// Renders a window into a PNG once what it was asked to open is shown, with its map, then ends the
/// program: exit code 0, or 1 with the reason on standard error when loading fails or takes 20 s.
/// Thread: GUI.
class Snapshot final : public QObject
{
    Q_OBJECT
public:
    /// Lays the window out at `size` without showing it. @param file  the PNG
    Snapshot(ui::MainWindow *window, QString file, QSize size);

    void fail(const QString &reason);

private:
    void take();

    ui::MainWindow *m_window;
    QString m_file;
    bool m_done = false;
};

} // namespace topicscope::gui
