#pragma once

#include "core/profiles/connectionstore.h"
#include "tests/support/fakesession.h"
#include "ui/mainwindow.h"
#include "ui/panels/recordpanel.h"
#include "ui/views/topictreeview.h"

#include <QLabel>
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
    /// The window, active. @param factory  of its sessions; by default of the scripted broker
    void showWindow(const SessionFactory &factory = {}, ProfileSecrets *secrets = nullptr)
    {
        m_window = std::make_unique<ui::MainWindow>(factory ? factory : m_broker.factory(),
                                                    m_settings.get(), m_store.get(), secrets);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    static SessionConfig config()
    {
        SessionConfig config;
        config.name = QStringLiteral("test broker");
        config.reconnectFirst = std::chrono::milliseconds(1);
        config.reconnectMax = std::chrono::milliseconds(4);
        return config;
    }

    /// The window, connected to the scripted broker and active.
    void openWindow()
    {
        showWindow();
        m_window->connectTo(config());
    }

    /// In the tree. @param partition  -1: the topic's own row
    QModelIndex treeRow(const QString &topic, int partition = -1) const
    {
        const QAbstractItemModel &tree =
            *child<ui::TopicTreeView>(QStringLiteral("topicTree"))->model();
        for (int c = 0; c < tree.rowCount(); ++c) {
            const QModelIndex connection = tree.index(c, 0);
            for (int t = 0; t < tree.rowCount(connection); ++t) {
                const QModelIndex row = tree.index(t, 0, connection);
                if (row.data().toString() == topic)
                    return partition < 0 ? row : tree.index(partition, 0, row);
            }
        }
        return {};
    }

    /// By keyboard, in the tree. @param partition  -1: the whole topic
    void openTopic(const QString &topic, int partition = -1)
    {
        auto *tree = child<ui::TopicTreeView>(QStringLiteral("topicTree"));
        QTRY_VERIFY(treeRow(topic, partition).isValid());
        tree->setCurrentIndex(treeRow(topic, partition));
        QTest::keyClick(tree, Qt::Key_Return);
        QVERIFY(panel());
        QCOMPARE(panel()->topic(), topic);
        QCOMPARE(panel()->partition(),
                 partition < 0 ? std::nullopt : std::optional(PartitionId{partition}));
        QTRY_VERIFY(panel()->isLoaded());
    }

    /// The column with the values, of the current tab.
    QStringList values() const
    {
        if (!panel())
            return {};
        const QAbstractItemModel &model =
            *panel()->findChild<QTableView *>(QStringLiteral("recordTable"))->model();
        QStringList values;
        for (int row = 0; row < model.rowCount(); ++row)
            values << model.index(row, model.columnCount() - 1).data().toString();
        return values;
    }

    /// What is said of the connection.
    QString state() const { return child<QLabel>(QStringLiteral("connectionStateLabel"))->text(); }

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
