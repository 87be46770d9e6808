#include "core/transfer/publishhandle.h"

#include <QFileInfo>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype kPreviewBytes = 200;
constexpr qsizetype kPreviewHeaders = 10;

PublishSummary failed(const Error &error)
{
    PublishSummary summary;
    summary.error = error;
    return summary;
}

std::optional<QByteArray> preview(const std::optional<QByteArray> &bytes)
{
    return bytes ? std::optional(bytes->left(kPreviewBytes)) : std::nullopt;
}

PlannedRow rowOf(const SourceRecord &record, const PlannedRecord &planned)
{
    const PublishRequest &request = planned.request;
    PlannedRow row{record.number,
                   planned.partition,
                   preview(request.key),
                   preview(request.value),
                   {},
                   request.headers.size(),
                   request.timestampMs,
                   planned.refusal};
    for (const RecordHeader &header :
         request.headers.first(std::min(kPreviewHeaders, request.headers.size())))
        row.headers.append({header.name.left(kPreviewBytes), preview(header.value)});
    return row;
}

/// What lives on the thread: it reaches the handle through queued signals alone.
class PublishWorker final : public QObject
{
    Q_OBJECT
signals:
    void columnsFound(const QStringList &names);
    void planned(const QList<topicscope::transfer::PlannedRow> &rows);
    void progressed(const topicscope::transfer::PublishProgress &progress);
    void finished(const topicscope::transfer::PublishSummary &summary);

public:
    PublishWorker(SessionFactory factory, SessionConfig config, PublishFileRequest request,
                  std::stop_token stop)
        : m_factory(std::move(factory))
        , m_config(std::move(config))
        , m_request(std::move(request))
        , m_stop(std::move(stop))
    {
    }

    void run()
    {
        PublishSummary summary = publish();
        summary.canGoOn = QFileInfo::exists(m_request.outcomes);
        emit finished(summary);
    }

private:
    using Purpose = PublishFileRequest::Purpose;

    PublishSummary publish()
    {
        const bool looks = m_request.purpose == Purpose::Look;
        // A pipe is read once. And a path may be half typed.
        const QFileInfo file(m_request.path);
        if (looks && !file.isFile() && !file.isDir())
            return {};
        if (m_request.format == SourceFormat::Csv) {
            const auto names = csvColumns(m_request.path);
            if (!names)
                return failed(names.error());
            emit columnsFound(*names);
        }
        const auto source = openSource(m_request.path, m_request.format, m_request.mapping);
        if (!source)
            return failed(source.error());
        if (looks)
            return plan(**source, m_request.known);
        const std::unique_ptr<BrokerSession> session = m_factory(m_config);
        const CallContext context(m_config.requestTimeout, m_stop);
        const auto target = findTarget(*session, m_request.plan, context);
        if (!target)
            return failed(target.error());
        const OutcomeFile::Run about =
            runOf(m_request.path, m_request.format, m_config, m_request.plan);
        if (m_request.purpose == Purpose::Check) {
            if (QFileInfo::exists(m_request.outcomes)) {
                if (const auto same = OutcomeFile::check(m_request.outcomes, about); !same)
                    return failed(same.error());
            }
            return plan(**source, *target);
        }
        const auto outcomes = m_request.resume
                                  ? OutcomeFile::resume(m_request.outcomes, about, m_stop)
                                  : OutcomeFile::create(m_request.outcomes, about);
        if (!outcomes)
            return failed(outcomes.error());
        return publishAll(
            *session, **source, m_request.plan, *target, **outcomes,
            [this](const PublishProgress &progress) { emit progressed(progress); }, m_stop);
    }

    PublishSummary plan(RecordSource &source, const PublishTarget &target)
    {
        const bool looks = m_request.purpose == Purpose::Look;
        const int most = looks ? PublishHandle::kLookRows : PublishHandle::kMaxRows;
        QList<PlannedRow> rows;
        bool told = false;
        const auto tell = [&] {
            if (!std::exchange(told, true))
                emit planned(rows);
        };
        const auto summary = planAll(
            source, m_request.plan, target,
            [&](const SourceRecord &record, const PlannedRecord &planned) {
                if (rows.size() < most)
                    rows.append(rowOf(record, planned));
                else
                    tell();
                return !looks || rows.size() < most;
            },
            m_stop);
        tell();
        return summary ? *summary : failed(summary.error());
    }

    SessionFactory m_factory;
    SessionConfig m_config;
    PublishFileRequest m_request;
    std::stop_token m_stop;
};

} // namespace

PublishHandle::PublishHandle(const SessionFactory &factory, const SessionConfig &config,
                             const PublishFileRequest &request, QObject *parent)
    : QObject(parent)
    , m_thread(new QThread)
{
    auto *worker = new PublishWorker(factory, config, request, m_stop.get_token());
    m_thread->setObjectName(u"publish %1"_s.arg(config.endpoint()));
    worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::started, worker, &PublishWorker::run);
    connect(m_thread.get(), &QThread::finished, worker, &QObject::deleteLater);
    connect(worker, &PublishWorker::columnsFound, this, &PublishHandle::columnsFound);
    connect(worker, &PublishWorker::planned, this, &PublishHandle::planned);
    connect(worker, &PublishWorker::progressed, this, &PublishHandle::progressed);
    connect(worker, &PublishWorker::finished, this, &PublishHandle::finished);
    m_thread->start();
}

PublishHandle::~PublishHandle()
{
    m_stop.request_stop();
}

} // namespace topicscope::transfer

#include "publishhandle.moc"
