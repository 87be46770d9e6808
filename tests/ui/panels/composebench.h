#pragma once

#include "tests/support/fakesession.h"
#include "ui/panels/composepanel.h"
#include "ui/panels/payloadtext.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace topicscope::test
{

using namespace topicscope::ui;
using namespace Qt::StringLiterals;

/// A panel on a session on a broker in memory with the topics orders (3 partitions) and single (1).
struct ComposeBench {
    explicit ComposeBench(const Capabilities &capabilities = FakeBroker::booblikCapabilities(),
                          bool readOnly = false)
    {
        broker.setCapabilities(capabilities);
        broker.addTopic(u"orders"_s, 3);
        broker.addTopic(u"single"_s, 1);
        SessionConfig config;
        config.host = u"localhost"_s;
        config.readOnly = readOnly;
        session = std::make_unique<SessionHandle>(broker.factory(), config);
        panel = std::make_unique<ComposePanel>();
        panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
        QTRY_COMPARE(session->state(), ConnectionState::Connected);
        topics = list(session.get());
        panel->lookAt(place(u"orders"_s));
    }

    static TopicList list(SessionHandle *handle)
    {
        QSignalSpy listed(handle, &SessionHandle::topicsListed);
        handle->listTopics();
        return listed.wait() ? listed.at(0).at(1).value<TopicList>() : TopicList();
    }
    void listTopics()
    {
        topics = list(session.get());
        panel->setTopics(session.get(), topics);
    }
    ComposeTarget::Place place(const QString &topic) const
    {
        return {session.get(), session->config(), topics, topic};
    }

    template <typename T>
    T *child(const QString &name) const
    {
        T *found = panel->findChild<T *>(name);
        Q_ASSERT(found);
        return found;
    }
    QPushButton *button() const { return child<QPushButton>(u"publishButton"_s); }
    QComboBox *topic() const { return child<QComboBox>(u"topicBox"_s); }
    PayloadEdit *key() const { return child<PayloadEdit>(u"key"_s); }
    PayloadEdit *value() const { return child<PayloadEdit>(u"value"_s); }
    PayloadText *valueText() const { return child<PayloadText>(u"valueEdit"_s); }
    QString text(const QString &name) const { return child<QLabel>(name)->text(); }
    QString status() const { return text(u"status"_s); }

    /// Chooses an item of a combo box as a user does, by its data.
    void choose(const QString &box, const QVariant &data) const
    {
        auto *combo = child<QComboBox>(box);
        const int index = combo->findData(data);
        QVERIFY2(index >= 0, qPrintable(box));
        combo->setCurrentIndex(index);
        emit combo->activated(index);
    }
    void typeKey(const QString &text) const
    {
        QVERIFY(key()->setMode(PayloadEdit::Mode::Text));
        QInputMethodEvent typed; // QTest's keys are ASCII only
        typed.setCommitString(text);
        QApplication::sendEvent(child<PayloadText>(u"keyEdit"_s), &typed);
    }
    void typeValue(const QString &text) const { QTest::keyClicks(valueText(), text); }
    /// Publishes and waits for the answer.
    void publish() const
    {
        QTRY_VERIFY2(button()->isEnabled(), qPrintable(status()));
        QSignalSpy answered(panel.get(), &ComposePanel::answered);
        QTest::mouseClick(button(), Qt::LeftButton);
        QVERIFY2(answered.count() > 0 || answered.wait(), qPrintable(status()));
    }
    QByteArrayList values(qint32 partition) const { return broker.values(u"orders"_s, partition); }

    FakeBroker broker;
    std::unique_ptr<SessionHandle> session;
    TopicList topics;
    std::unique_ptr<ComposePanel> panel;
};

} // namespace topicscope::test
