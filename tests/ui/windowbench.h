#pragma once

#include "core/profiles/connectionstore.h"
#include "tests/support/fakesession.h"
#include "ui/mainwindow.h"
#include "ui/panels/recordpanel.h"
#include "ui/views/topictreeview.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace topicscope::test
{

/// The whole window on a scripted broker, with settings of its own, for tests that go through it.
class WindowBench : public QObject
{
    Q_OBJECT
protected slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not)")));
        m_broker = FakeBroker();
        m_dir = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<ui::UiSettings>(m_dir->filePath(QStringLiteral("w.ini")));
        m_store = std::make_unique<ConnectionStore>(m_dir->filePath(QStringLiteral("c.ini")));
    }

    void cleanup()
    {
        m_window.reset();
        m_store.reset();
        m_settings.reset();
        QTRY_COMPARE(m_broker.liveSessions(), 0);
    }

protected:
    /// The window, connected to the broker and active.
    void openWindow()
    {
        m_window =
            std::make_unique<ui::MainWindow>(m_broker.factory(), m_settings.get(), m_store.get());
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        SessionConfig config;
        config.reconnectFirst = std::chrono::milliseconds(1);
        config.reconnectMax = std::chrono::milliseconds(4);
        m_window->connectTo(config);
    }

    /// By keyboard, in the tree. @param partition  -1: the whole topic
    void openTopic(const QString &topic, int partition = -1)
    {
        auto *tree = child<ui::TopicTreeView>(QStringLiteral("topicTree"));
        const auto row = [&] {
            const QAbstractItemModel &model = *tree->model();
            const QModelIndex connection = model.index(0, 0);
            for (int i = 0; i < model.rowCount(connection); ++i) {
                const QModelIndex found = model.index(i, 0, connection);
                if (found.data().toString() == topic)
                    return partition < 0 ? found : model.index(partition, 0, found);
            }
            return QModelIndex();
        };
        QTRY_VERIFY(row().isValid());
        tree->setCurrentIndex(row());
        QTest::keyClick(tree, Qt::Key_Return);
        QTRY_VERIFY(panel() && panel()->topic() == topic && panel()->isLoaded());
    }

    ui::RecordPanel *panel() const
    {
        return qobject_cast<ui::RecordPanel *>(
            child<QTabWidget>(QStringLiteral("recordTabs"))->currentWidget());
    }

    template <typename Object>
    Object *child(const QString &name) const
    {
        auto *found = m_window->findChild<Object *>(name);
        if (!found)
            qFatal("no %s", qPrintable(name));
        return found;
    }

    FakeBroker m_broker;
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ui::UiSettings> m_settings;
    std::unique_ptr<ConnectionStore> m_store;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace topicscope::test
