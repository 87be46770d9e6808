#include "core/transfer/exporthandle.h"

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

ExportSummary failed(const Error &error)
{
    ExportSummary summary;
    summary.error = error;
    return summary;
}

/// What lives on the thread: it reaches the handle through queued signals alone.
class ExportWorker final : public QObject
{
    Q_OBJECT
signals:
    void progressed(const topicscope::transfer::ExportProgress &progress);
    void finished(const topicscope::transfer::ExportSummary &summary);

public:
    ExportWorker(SessionFactory factory, SessionConfig config, ExportRequest request,
                 std::stop_token stop)
        : m_factory(std::move(factory))
        , m_config(std::move(config))
        , m_request(std::move(request))
        , m_stop(std::move(stop))
    {
    }

    void run() { emit finished(write()); }

private:
    ExportSummary write()
    {
        const std::unique_ptr<BrokerSession> session = m_factory(m_config);
        const auto parts =
            planExport(*session, m_request.choice, CallContext(m_config.requestTimeout, m_stop));
        if (!parts)
            return failed(parts.error());
        const auto file =
            ExportFile::create(m_request.path, m_request.format,
                               {m_config.address(), session->capabilities()}, m_request.overwrite);
        if (!file)
            return failed(file.error());
        return writeExport(
            *session, *parts, m_request.options, **file,
            [this](const ExportProgress &progress) { emit progressed(progress); }, m_stop);
    }

    SessionFactory m_factory;
    SessionConfig m_config;
    ExportRequest m_request;
    std::stop_token m_stop;
};

} // namespace

ExportHandle::ExportHandle(const SessionFactory &factory, const SessionConfig &config,
                           const ExportRequest &request, QObject *parent)
    : QObject(parent)
    , m_thread(new QThread)
{
    auto *worker = new ExportWorker(factory, config, request, m_stop.get_token());
    m_thread->setObjectName(u"export %1"_s.arg(config.endpoint()));
    worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::started, worker, &ExportWorker::run);
    connect(m_thread.get(), &QThread::finished, worker, &QObject::deleteLater);
    connect(worker, &ExportWorker::progressed, this, &ExportHandle::progressed);
    connect(worker, &ExportWorker::finished, this, &ExportHandle::finished);
    m_thread->start();
}

ExportHandle::~ExportHandle()
{
    m_stop.request_stop();
}

} // namespace topicscope::transfer

#include "exporthandle.moc"
