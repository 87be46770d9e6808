#pragma once

#include "core/base/ids.h"
#include "core/records/payloadcodec.h"
#include "core/records/timestyle.h"
#include "core/session/fetch.h"
#include "ui/theme/palette.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include <chrono>
#include <optional>
#include <vector>

namespace topicscope::ui
{

/// One open tab, so that it can be opened again.
struct Place {
    QString connection; ///< what the user calls it, or "host:port"
    QString topic;
    std::optional<PartitionId> partition; ///< nullopt: the whole topic
    std::optional<Offset> offset;         ///< nullopt: the newest records

    bool operator==(const Place &) const = default;
};

/// "topic", "topic/1" or "topic/1@42" as a place without endpoint; nullopt when it is none of them.
std::optional<Place> parsePlace(const QString &text);

/// What the window remembers, field by field. Nothing else of the window's reads or writes the
/// settings file; it is written atomically, and a value of the wrong kind or range counts as
/// absent. Thread: GUI.
class UiSettings
{
public:
    /// @param file  an INI file; empty: the user's own settings.
    explicit UiSettings(const QString &file = {});

    /// Where the file is, and what else the window keeps.
    QString folder() const;

    ColorScheme colorScheme() const;
    void setColorScheme(ColorScheme scheme);

    /// How times are written and read; UTC where this machine does not know the zone.
    TimeStyle timeStyle() const;
    void setTimeStyle(const TimeStyle &style);

    /// How often offsets are read again while connected; 0 = only by hand.
    std::chrono::seconds refreshInterval() const;
    void setRefreshInterval(std::chrono::seconds interval);

    // Bytes, in whole units so that what is chosen comes back: MiB and KiB.
    static constexpr qint64 kMinHeldBytes = qint64(4) * 1024 * 1024;
    static constexpr qint64 kMaxHeldBytes = qint64(2048) * 1024 * 1024;
    static constexpr qint32 kMinMaxBytes = 1024;
    static constexpr qint32 kMaxMaxBytes = 64 * 1024 * 1024;
    /// Memory the records of one tab may hold.
    qint64 heldBytes() const;
    void setHeldBytes(qint64 bytes);
    /// Max bytes of a fetch: larger records are shown as such.
    qint32 maxBytes() const;
    void setMaxBytes(qint32 bytes);

    QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray &state);
    QByteArray windowState() const; ///< docks and toolbars
    void setWindowState(const QByteArray &state);
    QByteArray topicColumns() const;
    void setTopicColumns(const QByteArray &state);
    bool showsMap() const; ///< beside a record table
    void setShowsMap(bool shows);
    /// Columns for the offsets of partitions; nullopt: where there is room.
    std::optional<bool> showsTopicOffsets() const;
    void setShowsTopicOffsets(std::optional<bool> shows);
    bool showsInternalTopics() const;
    void setShowsInternalTopics(bool shows);
    QByteArray publishLogColumns() const;
    void setPublishLogColumns(const QByteArray &state);

    /// How the user arranged the columns of one kind of view, entry by entry; empty: never did.
    QStringList columns(const QString &view) const;
    void setColumns(const QString &view, const QStringList &state);

    /// The name of the format of a topic's keys or values, for reading and publishing alike; empty:
    /// as they seem to be. `connection` is SessionConfig::endpoint().
    QString format(const QString &connection, const QString &topic, PayloadPart part) const;
    void setFormat(const QString &connection, const QString &topic, PayloadPart part,
                   const QString &format);

    /// Which records of transactions are shown first in a new tab.
    Isolation isolation(const QString &connection) const;
    void setIsolation(const QString &connection, Isolation isolation);

    /// The last ones, of more than there is sense in: the current one is last.
    std::vector<Place> places() const;
    void setPlaces(const std::vector<Place> &places);

private:
    qint64 number(const QString &key, qint64 least, qint64 most, qint64 byDefault) const;

    QSettings m_settings;
};

} // namespace topicscope::ui
