#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <QFile>
#include <QMap>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace topicscope::transfer
{

/// What became of one record of a source.
struct Outcome {
    enum class Kind {
        Published, ///< with its offset, unless nothing was to be confirmed
        Refused,   ///< nothing was stored
        Unknown,   ///< sent and not answered, or the program ended before it could say
    };
    qint64 record = 0; ///< its number in the source, from 1
    Kind kind = Kind::Published;
    /// Tells whether the source still has the same record there.
    quint32 contentCrc = 0;
    std::optional<TopicPartition> where = {};
    std::optional<Offset> offset = {}; ///< Unknown: the log's end before it was sent
    QString text = {};                 ///< why
};

/// The account of publishing from a file, a line of JSON a record, kept so that nothing is ever
/// sent twice: numbers are reserved on the disk before the first of them is sent, so whatever ends
/// the program, a record is either known not to have been sent, or has an outcome, or counts as
/// unknown. Of one file there is one user at a time.
/// Thread: confined to one; blocking.
class OutcomeFile
{
public:
    /// What the run is about; one that goes on has to be about the same.
    using Run = QMap<QString, QString>;

    /// @error InvalidArgument: it is there already; Io.
    static Result<std::unique_ptr<OutcomeFile>> create(const QString &path, const Run &run);
    /// Whether the file is of this run, by its first line alone. @error InvalidArgument: of another
    /// run, or no such file; Io.
    static Result<void> check(const QString &path, const Run &run);
    /// Goes on with a file of the same run, which is read: up to seconds, back soon after a stop.
    /// @error InvalidArgument: of another run; Busy: in use; Cancelled: nothing has changed; Io.
    static Result<std::unique_ptr<OutcomeFile>> resume(const QString &path, const Run &run,
                                                       const std::stop_token &stop);

    /// The first record nothing is known of: those before it have their outcome.
    qint64 next() const { return m_next; }
    /// From next() to this number records may have been sent by a program that ended before it
    /// could say: they are unknown.
    qint64 inDoubt() const { return m_inDoubt; }
    /// Of a record before next().
    quint32 contentCrc(qint64 record) const { return m_crcs[size_t(record - 1)]; }

    /// To be called before a record is sent. @error Io: then it must not be.
    Result<void> reserve(qint64 record);
    /// Outcomes come in the order of the records. @error Io
    Result<void> write(const Outcome &outcome);
    /// What was reserved from next() on was not sent, but for what is in doubt. Says nothing once
    /// something could not be written: then that is in doubt, too. @error Io
    Result<void> stop(const QString &why);

private:
    explicit OutcomeFile(const QString &path)
        : m_file(path)
    {
    }

    Result<void> read(const Run &run, const std::stop_token &stop);
    Result<void> takeHead(const QByteArray &line, const Run &run);
    Result<void> take(const QByteArray &line);
    Result<void> append(const QByteArray &line, bool sync);
    Result<void> syncDirectory() const;
    void took(const Outcome &outcome);
    Error failed() const;

    QFile m_file;
    bool m_hasHead = false;
    bool m_hasFailed = false; ///< what is on the disk is less than what happened
    qint64 m_next = 1;
    qint64 m_reserved = 0; ///< up to this number
    qint64 m_inDoubt = 0;
    std::vector<quint32> m_crcs;
};

} // namespace topicscope::transfer
