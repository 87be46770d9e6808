#pragma once

#include "core/sessionfactory.h"
#include "tests/ui/windowbench.h"

#include <QComboBox>
#include <QFile>

namespace topicscope::test
{

/// The window on a scripted broker with 100 records of "orders", where files of records are opened
/// as the program does it, and a folder for files.
class FilesBench : public WindowBench
{
    Q_OBJECT
protected slots:
    void init()
    {
        WindowBench::init();
        m_settings->setRefreshInterval(std::chrono::seconds(0)); // only by what is done
        m_broker.addTopic(QStringLiteral("orders"), 1);
        m_broker.appendMany(QStringLiteral("orders"), 0, 100);
        showWindow([broker = m_broker.factory()](const SessionConfig &config) {
            return config.engine == Engine::File ? defaultSessionFactory()(config) : broker(config);
        });
    }

protected:
    void open(const SessionConfig &config, const QString &topic)
    {
        m_window->connectTo(config, {ui::Place{config.displayName(), topic, PartitionId{0}, {}}});
        QTRY_VERIFY(m_window->findChild<ui::RecordPanel *>());
        QTRY_VERIFY(m_window->findChild<ui::RecordPanel *>()->isLoaded());
    }

    QString path(const QString &name) const { return m_dir->filePath(name); }
    /// A file of these. @return its path
    QString written(const QByteArray &lines) const
    {
        QFile file(path(QStringLiteral("kept.ndjson")));
        if (!file.open(QIODevice::WriteOnly) || file.write(lines) != lines.size())
            qFatal("no file");
        return file.fileName();
    }

    using WindowBench::child;
    template <typename Object>
    static Object *child(const QObject *parent, const QString &name)
    {
        auto *found = parent->findChild<Object *>(name);
        if (!found)
            qFatal("no %s", qPrintable(name));
        return found;
    }
    static void choose(const QObject *dialog, const QString &name, const QString &beginning)
    {
        auto *box = child<QComboBox>(dialog, name);
        const int index = box->findText(beginning, Qt::MatchStartsWith);
        if (index < 0)
            qFatal("no %s", qPrintable(beginning));
        box->setCurrentIndex(index);
    }
    /// What a dialog says, without the spaces between digits.
    static QString status(const QObject *dialog)
    {
        return child<QLabel>(dialog, QStringLiteral("status"))->text().remove(QChar(0x202f));
    }
};

} // namespace topicscope::test
