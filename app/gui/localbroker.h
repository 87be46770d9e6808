#pragma once

#include "core/base/error.h"
#include "core/broker/embeddedbroker.h"
#include "core/broker/samplebroker.h"
#include "core/session/sessionconfig.h"
#include "ui/settings/uisettings.h"

#include <QObject>

#include <memory>

namespace topicscope::gui
{

/// The broker inside this program: with the user's own data, or with sample data that goes with it.
/// Thread: GUI; the broker has its own and nothing here waits but the destructor, which is bounded.
class LocalBroker final : public QObject
{
    Q_OBJECT
public:
    enum class Data { Own, Sample };

    explicit LocalBroker(Data data, QObject *parent = nullptr);
    ~LocalBroker() override;
    Q_DISABLE_COPY_MOVE(LocalBroker)

    /// Ends in ready() or failed().
    void start();

signals:
    /// It listens; `places` are what to look at first (sample data), or empty.
    void ready(const topicscope::SessionConfig &config,
               const std::vector<topicscope::ui::Place> &places);
    void failed(const topicscope::Error &error);
    /// Something an operator has to know: repaired, lost or failed.
    void warning(const QString &line);

private:
    void onListening(quint16 port);

    std::unique_ptr<broker::SampleBroker> m_sample;
    std::unique_ptr<broker::EmbeddedBroker> m_own;
};

} // namespace topicscope::gui
