#pragma once

#include "tests/support/fakesession.h"
#include "tests/support/modeldump.h"
#include "ui/panels/recordpanel.h"
#include "ui/views/banner.h"
#include "ui/views/recordtableview.h"

#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

#include <memory>
#include <numeric>

namespace topicscope::test
{

using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// A record panel on a broker in memory with the topic orders of three partitions: what its tests
/// begin with. Every test gets new ones.
class RecordBench : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void init()
    {
        // The offscreen platform says this of every window with a minimum size.
        QTest::failOnWarning(
            QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
        m_broker = std::make_unique<FakeBroker>();
        m_broker->addTopic(u"orders"_s, 3);
    }

    void cleanup()
    {
        m_panel.reset();
        m_byteBudget = 0;
        QTRY_COMPARE(m_broker->liveSessions(), 0);
        m_broker.reset();
    }

protected:
    TopicInfo topicInfo() const
    {
        TopicInfo info;
        info.name = u"orders"_s;
        for (qint32 id = 0; id < 3; ++id) {
            const auto end = m_broker->values(u"orders"_s, id).size();
            info.partitions << PartitionInfo{PartitionId{id}, Offset{0}, Offset{end}, {}};
        }
        return info;
    }

    void openPanel(std::optional<qint32> partition = 0, std::optional<qint64> at = {})
    {
        SessionConfig config;
        config.reconnectFirst = 1ms;
        config.reconnectMax = 4ms;
        m_panel = std::make_unique<RecordPanel>(m_broker->factory(), config);
        m_panel->resize(900, 400);
        m_panel->show();
        QSignalSpy loaded(m_panel.get(), &RecordPanel::loaded);
        if (m_byteBudget > 0)
            m_panel->setByteBudget(m_byteBudget);
        m_panel->open(topicInfo(),
                      partition ? std::optional(PartitionId{*partition}) : std::nullopt,
                      at ? std::optional(Offset{*at}) : std::nullopt);
        QVERIFY(loaded.wait());
        QCOMPARE(loaded.count(), 1);
    }

    QStringList column(const QString &title) const
    {
        const QAbstractItemModel &model = *view()->model();
        for (int section = 0; section < model.columnCount(); ++section) {
            if (model.headerData(section, Qt::Horizontal).toString() == title)
                return dumpColumn(model, section);
        }
        return {};
    }

    QList<qint64> offsets() const
    {
        QList<qint64> result;
        for (QString &text : column(u"Offset"_s))
            result << text.remove(QChar(0x202f)).toLongLong();
        return result;
    }

    /// First and last offset of the window.
    std::pair<qint64, qint64> shown() const
    {
        const QRegularExpression range(u"showing (\\d+) … (\\d+)"_s);
        const auto match = range.match(header().remove(QChar(0x202f)));
        return {match.captured(1).toLongLong(), match.captured(2).toLongLong()};
    }

    static QList<qint64> upTo(qint64 first, qint64 end)
    {
        QList<qint64> result(end - first);
        std::iota(result.begin(), result.end(), first);
        return result;
    }

    RecordTableView *view() const
    {
        return m_panel->findChild<RecordTableView *>(u"recordTable"_s);
    }
    QString status() const { return m_panel->findChild<QLabel *>(u"recordStatus"_s)->text(); }
    QString header() const { return m_panel->findChild<QLabel *>(u"recordHeader"_s)->text(); }
    Banner *banner() const { return m_panel->findChild<Banner *>(u"recordBanner"_s); }
    QString currentOffset() const
    {
        return view()->currentIndex().siblingAtColumn(0).data().toString();
    }

    std::unique_ptr<FakeBroker> m_broker;
    std::unique_ptr<RecordPanel> m_panel;
    qint64 m_byteBudget = 0; ///< of panels to be opened; 0: as by default
};

} // namespace topicscope::test
