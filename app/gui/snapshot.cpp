#include "app/gui/snapshot.h"

#include "ui/mainwindow.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

namespace topicscope::gui
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr auto kPatience = 20s;
/// For the map beside the rows: where it takes longer, the picture shows what is there by then.
constexpr auto kMapPatience = 5s;
/// For what is laid out off the GUI thread after that: JSON, sizes.
constexpr auto kSettling = 400ms;

} // namespace

Snapshot::Snapshot(ui::MainWindow *window, QString file, QSize size)
    : m_window(window)
    , m_file(std::move(file))
{
    window->setAttribute(Qt::WA_DontShowOnScreen);
    window->resize(size);
    window->show();
    connect(window, &ui::MainWindow::placeOpened, this,
            [this] { QTimer::singleShot(kMapPatience, this, &Snapshot::take); });
    connect(window, &ui::MainWindow::placeFilled, this,
            [this] { QTimer::singleShot(kSettling, this, &Snapshot::take); });
    connect(window, &ui::MainWindow::placeFailed, this, &Snapshot::fail);
    QTimer::singleShot(kPatience, this, [this] {
        fail(u"Nothing was loaded within %1 seconds."_s.arg(kPatience.count()));
    });
}

void Snapshot::take()
{
    if (m_done)
        return;
    m_done = true;
    if (m_window->grab().save(m_file, "PNG")) {
        QCoreApplication::exit(0);
        return;
    }
    m_done = false;
    fail(u"The picture could not be written to %1."_s.arg(m_file));
}

void Snapshot::fail(const QString &reason)
{
    if (m_done)
        return;
    m_done = true;
    std::fprintf(stderr, "topicscope: %s\n", qPrintable(reason));
    QCoreApplication::exit(1);
}

} // namespace topicscope::gui
