#include "core/base/digits.h"
#include "ui/errortext.h"
#include "ui/panels/composepanel.h"
#include "ui/panels/headersedit.h"
#include "ui/panels/partitionchooser.h"
#include "ui/panels/targetrules.h"
#include "ui/panels/timestampedit.h"

#include <QApplication>
#include <QPushButton>

#include <algorithm>

// Of the composer, what concerns sending: what stands in its way, the files it needs, the answer.

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

std::optional<ComposePanel::Obstacle> ComposePanel::obstacle() const
{
    if (auto reason = sessionObstacle())
        return reason;
    if (auto reason = targetObstacle())
        return reason;
    return contentObstacle();
}

std::optional<ComposePanel::Obstacle> ComposePanel::sessionObstacle() const
{
    if (!session() && m_target->config().host.isEmpty())
        return Obstacle{tr("There is no connection: connect to a broker to publish."),
                        IconName::Offline};
    if (!session())
        return Obstacle{tr("%1 is closed: connect to it again, or choose another target.")
                            .arg(m_target->config().displayName()),
                        IconName::Offline};
    if (session()->config().readOnly)
        return Obstacle{tr("This connection is marked read-only: nothing can be published."),
                        IconName::ReadOnly};
    if (session()->capabilities() == Capabilities{})
        return Obstacle{tr("Connecting…"), IconName::Clock};
    if (!session()->capabilities().publish)
        return Obstacle{tr("Nothing can be published here."), IconName::ReadOnly};
    return std::nullopt;
}

std::optional<ComposePanel::Obstacle> ComposePanel::targetObstacle() const
{
    const QString name = m_target->topic();
    if (name.isEmpty())
        return Obstacle{tr("Choose a topic."), std::nullopt};
    const TopicInfo *topic = m_target->topicInfo();
    if (!topic)
        return Obstacle{
            tr("The broker has no topic “%1”; publishing does not create one.").arg(name),
            IconName::Warning};
    if (topic->error)
        return Obstacle{errorText(*topic->error).full(), IconName::Warning};
    if (topic->partitions.isEmpty())
        return Obstacle{tr("This topic has no partitions."), IconName::Warning};
    const auto wanted = m_partition->byHand();
    const bool exists = !wanted || std::any_of(topic->partitions.begin(), topic->partitions.end(),
                                               [&](const PartitionInfo &partition) {
                                                   return partition.id == *wanted;
                                               });
    if (!exists)
        return Obstacle{tr("%1 has no partition %2.").arg(name).arg(wanted->value),
                        IconName::Warning};
    return std::nullopt;
}

std::optional<ComposePanel::Obstacle> ComposePanel::contentObstacle() const
{
    const Payload &key = m_key->payload();
    const Payload &value = m_value->payload();
    if (key.kind == Payload::Kind::Invalid)
        return Obstacle{tr("Key: %1.").arg(key.problem), IconName::Warning};
    if (value.kind == Payload::Kind::Invalid)
        return Obstacle{tr("Value: %1.").arg(value.problem), IconName::Warning};
    const Capabilities &capabilities = session()->capabilities();
    if (capabilities.timestamps && !m_time->isValid())
        return Obstacle{tr("Time: no whole number of milliseconds."), IconName::Warning};
    if (!capabilities.headers && !m_headers->headers().isEmpty())
        return Obstacle{tr("This broker stores no headers: clear them, or choose another target."),
                        IconName::Warning};
    if (value.kind != Payload::Kind::None && value.size == 0 && !capabilities.emptyValues)
        return Obstacle{tr("The value is empty, and this broker cannot store a record of 0 bytes."),
                        std::nullopt};
    if (value.size > maxValueBytes())
        return Obstacle{tr("The value has %1 bytes; at most %2 fit with this topic's name.")
                            .arg(groupedDigits(value.size), groupedDigits(maxValueBytes())),
                        IconName::Oversized};
    return std::nullopt;
}

void ComposePanel::publish()
{
    if (!m_headers->commit() || !m_publishButton->isEnabled())
        return;
    const Payload &key = m_key->payload();
    const Payload &value = m_value->payload();
    PublishRequest request;
    request.topic = m_target->topic();
    request.partition = m_partition->byHand();
    request.key = key.bytes;
    request.value = value.bytes;
    request.ack = ackPolicy().value_or(AckPolicy::Written);
    request.partitioner = partitioner();
    request.compression = compression();
    if (session()->capabilities().headers)
        request.headers = m_headers->headers();
    if (session()->capabilities().timestamps)
        request.timestampMs = m_time->timestampMs();
    request.expectedPartitionCount = qint32(m_target->topicInfo()->partitions.size());
    m_message.clear();

    const bool readsKey = key.kind == Payload::Kind::File;
    const bool readsValue = value.kind == Payload::Kind::File;
    if (!readsKey && !readsValue) {
        submit(request, m_revision);
        return;
    }
    m_reading = Reading{std::move(request), session(), m_revision, readsKey, readsValue};
    m_keyRead.setFuture(readsKey ? lookAtFile(key.path, kMaxKeyBytes)
                                 : QFuture<Result<PayloadFile>>());
    m_valueRead.setFuture(readsValue ? lookAtFile(value.path, maxValueBytes())
                                     : QFuture<Result<PayloadFile>>());
    refresh();
}

void ComposePanel::onFileRead()
{
    if (!m_reading || !m_keyRead.isFinished() || !m_valueRead.isFinished())
        return;
    Reading reading = *std::exchange(m_reading, std::nullopt);
    if (!reading.session || reading.session != session()) {
        refresh();
        return;
    }
    const auto take = [this](const QFutureWatcher<Result<PayloadFile>> &watcher,
                             qint64 limit) -> std::optional<QByteArray> {
        const Result<PayloadFile> file = watcher.result();
        if (!file) {
            showMessage(errorText(file.error()).full(), Tone::Danger);
            return std::nullopt;
        }
        if (!file->bytes) {
            showMessage(tr("Nothing was sent: the file has %1 bytes now, the limit is %2.")
                            .arg(groupedDigits(file->size), groupedDigits(limit)),
                        Tone::Danger);
        }
        return file->bytes;
    };
    if (reading.readsKey) {
        const auto key = take(m_keyRead, kMaxKeyBytes);
        if (!key)
            return;
        if (key != reading.request.key) {
            m_key->setState(m_key->state()); // looks at the file again
            showMessage(tr("Nothing was sent: the key's file has changed. Look at the partition "
                           "it selects now."),
                        Tone::Danger);
            return;
        }
    }
    if (reading.readsValue) {
        reading.request.value = take(m_valueRead, maxValueBytes());
        if (!reading.request.value)
            return;
        if (reading.request.value->isEmpty() && !session()->capabilities().emptyValues) {
            showMessage(tr("Nothing was sent: the file is empty now."), Tone::Danger);
            return;
        }
    }
    submit(reading.request, reading.revision);
}

void ComposePanel::submit(const PublishRequest &request, quint64 revision)
{
    const Result<RequestId> id = session()->publish(request);
    if (!id) {
        showMessage(errorText(id.error()).full(), Tone::Danger);
        return;
    }
    m_waiting.insert({session(), *id}, revision);
    emit submitted(session(), *id, request);
    refresh();
}

bool ComposePanel::takeWaiting(const QObject *session, RequestId id)
{
    const quint64 revision = m_waiting.take({session, id});
    if (revision == 0)
        return false;
    if (revision == m_revision) {
        m_answeredRevision = revision;
        m_answered.start(QApplication::doubleClickInterval());
    }
    return true;
}

void ComposePanel::onPublished(const QObject *session, RequestId id, const PublishResult &result)
{
    if (!takeWaiting(session, id))
        return;
    const TopicPartition &at = result.partition;
    const QString place = at.topic + u'/' + QString::number(at.partition.value);
    if (session != this->session()) {
        refresh(); // the publish log tells
    } else if (result.offset) {
        showMessage(
            tr("Published to %1 at offset %2.").arg(place, groupedDigits(result.offset->value)),
            Tone::Good);
    } else {
        showMessage(tr("Sent to %1, not confirmed.").arg(place), Tone::Warning);
    }
    emit answered(id);
}

void ComposePanel::onFailed(const QObject *session, RequestId id, const Error &error)
{
    if (!takeWaiting(session, id))
        return;
    if (session == this->session()) {
        showMessage(errorText(error).full(),
                    error.kind == ErrorKind::OutcomeUnknown ? Tone::Warning : Tone::Danger);
    }
    emit answered(id);
    if (session == this->session() && error.kind == ErrorKind::Broker)
        m_rules->readAgain(); // they may be others by now
    if (error.kind == ErrorKind::PartitionsChanged ||
        error.brokerName == u"UNKNOWN_TOPIC_OR_PARTITION"_s ||
        error.brokerName == u"UNKNOWN_TOPIC_OR_PART"_s)
        emit topicsOutdated();
}

} // namespace topicscope::ui
