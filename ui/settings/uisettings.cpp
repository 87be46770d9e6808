#include "ui/settings/uisettings.h"

#include "core/records/recordstore.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kMaxPlaces = 20;
constexpr int kDefaultRefreshSeconds = 3;
constexpr int kMaxRefreshSeconds = 3600;

/// '/' parts the levels of a settings key; names may have it, too.
QString encoded(const QString &name)
{
    return QString::fromLatin1(name.toUtf8().toPercentEncoding());
}

QString formatKey(const QString &connection, const QString &topic, PayloadPart part)
{
    return u"formats/"_s + encoded(connection) + u'/' + encoded(topic) +
           (part == PayloadPart::Key ? u"/key"_s : u"/value"_s);
}

const QString kSchemes[] = {u"system"_s, u"light"_s, u"dark"_s};

} // namespace

std::optional<Place> parsePlace(const QString &text)
{
    static const QRegularExpression form(
        u"^([A-Za-z0-9._-]+)(?:/(\\d{1,10})(?:@(\\d{1,19}))?)?$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    Place place;
    place.topic = match.captured(1);
    bool ok = true;
    if (match.hasCaptured(2))
        place.partition = PartitionId{match.captured(2).toInt(&ok)};
    if (ok && match.hasCaptured(3))
        place.offset = Offset{match.captured(3).toLongLong(&ok)};
    return ok ? std::optional(place) : std::nullopt;
}

UiSettings::UiSettings(const QString &file)
    : m_settings(file.isEmpty()
                     ? QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
                           u"/window.ini"_s
                     : file,
                 QSettings::IniFormat)
{
}

QString UiSettings::folder() const
{
    return QFileInfo(m_settings.fileName()).absolutePath();
}

ColorScheme UiSettings::colorScheme() const
{
    const QString stored = m_settings.value(u"appearance/scheme"_s).toString();
    for (const auto scheme : {ColorScheme::Light, ColorScheme::Dark}) {
        if (stored == kSchemes[int(scheme)])
            return scheme;
    }
    return ColorScheme::System;
}

void UiSettings::setColorScheme(ColorScheme scheme)
{
    m_settings.setValue(u"appearance/scheme"_s, kSchemes[int(scheme)]);
}

TimeStyle UiSettings::timeStyle() const
{
    return TimeStyle::named(m_settings.value(u"appearance/timeZone"_s).toString())
        .value_or(TimeStyle());
}

void UiSettings::setTimeStyle(const TimeStyle &style)
{
    m_settings.setValue(u"appearance/timeZone"_s, style.name());
}

std::chrono::seconds UiSettings::refreshInterval() const
{
    return std::chrono::seconds(
        number(u"topics/refreshSeconds"_s, 0, kMaxRefreshSeconds, kDefaultRefreshSeconds));
}

void UiSettings::setRefreshInterval(std::chrono::seconds interval)
{
    m_settings.setValue(u"topics/refreshSeconds"_s, int(interval.count()));
}

/// A whole number within its range, or what it is by default.
qint64 UiSettings::number(const QString &key, qint64 least, qint64 most, qint64 byDefault) const
{
    bool ok = false;
    const qint64 stored = m_settings.value(key).toLongLong(&ok);
    return ok && stored >= least && stored <= most ? stored : byDefault;
}

qint64 UiSettings::heldBytes() const
{
    return number(u"records/heldBytes"_s, kMinHeldBytes, kMaxHeldBytes,
                  RecordStore::kDefaultByteBudget);
}

void UiSettings::setHeldBytes(qint64 bytes)
{
    m_settings.setValue(u"records/heldBytes"_s, bytes);
}

qint32 UiSettings::maxBytes() const
{
    return qint32(number(u"records/maxBytes"_s, kMinMaxBytes, kMaxMaxBytes, kDefaultMaxBytes));
}

void UiSettings::setMaxBytes(qint32 bytes)
{
    m_settings.setValue(u"records/maxBytes"_s, bytes);
}

bool UiSettings::showsMap() const
{
    return m_settings.value(u"records/map"_s, true).toBool();
}

void UiSettings::setShowsMap(bool shows)
{
    m_settings.setValue(u"records/map"_s, shows);
}

QByteArray UiSettings::windowGeometry() const
{
    return m_settings.value(u"window/geometry"_s).toByteArray();
}

void UiSettings::setWindowGeometry(const QByteArray &state)
{
    m_settings.setValue(u"window/geometry"_s, state);
}

QByteArray UiSettings::windowState() const
{
    return m_settings.value(u"window/state"_s).toByteArray();
}

void UiSettings::setWindowState(const QByteArray &state)
{
    m_settings.setValue(u"window/state"_s, state);
}

QByteArray UiSettings::topicColumns() const
{
    return m_settings.value(u"topics/columns"_s).toByteArray();
}

void UiSettings::setTopicColumns(const QByteArray &state)
{
    m_settings.setValue(u"topics/columns"_s, state);
}

std::optional<bool> UiSettings::showsTopicOffsets() const
{
    const qint64 stored = number(u"topics/showOffsets"_s, 0, 1, -1);
    return stored < 0 ? std::nullopt : std::optional(stored == 1);
}

void UiSettings::setShowsTopicOffsets(std::optional<bool> shows)
{
    if (shows)
        m_settings.setValue(u"topics/showOffsets"_s, int(*shows));
    else
        m_settings.remove(u"topics/showOffsets"_s);
}

bool UiSettings::showsInternalTopics() const
{
    return m_settings.value(u"topics/showInternal"_s, false).toBool();
}

void UiSettings::setShowsInternalTopics(bool shows)
{
    m_settings.setValue(u"topics/showInternal"_s, shows);
}

QByteArray UiSettings::publishLogColumns() const
{
    return m_settings.value(u"publishLog/columns"_s).toByteArray();
}

void UiSettings::setPublishLogColumns(const QByteArray &state)
{
    m_settings.setValue(u"publishLog/columns"_s, state);
}

QStringList UiSettings::columns(const QString &view) const
{
    return m_settings.value(u"columns/"_s + view).toStringList();
}

void UiSettings::setColumns(const QString &view, const QStringList &state)
{
    const QString key = u"columns/"_s + view;
    if (state.isEmpty())
        m_settings.remove(key);
    else
        m_settings.setValue(key, state);
}

QString UiSettings::format(const QString &connection, const QString &topic, PayloadPart part) const
{
    return m_settings.value(formatKey(connection, topic, part)).toString();
}

void UiSettings::setFormat(const QString &connection, const QString &topic, PayloadPart part,
                           const QString &format)
{
    const QString key = formatKey(connection, topic, part);
    if (format.isEmpty())
        m_settings.remove(key);
    else
        m_settings.setValue(key, format);
}

Isolation UiSettings::isolation(const QString &connection) const
{
    return m_settings.value(u"isolation/"_s + encoded(connection)).toString() == u"committed"_s
               ? Isolation::ReadCommitted
               : Isolation::ReadUncommitted;
}

void UiSettings::setIsolation(const QString &connection, Isolation isolation)
{
    const QString key = u"isolation/"_s + encoded(connection);
    if (isolation == Isolation::ReadCommitted)
        m_settings.setValue(key, u"committed"_s);
    else
        m_settings.remove(key);
}

std::vector<Place> UiSettings::places() const
{
    std::vector<Place> places;
    const QStringList stored = m_settings.value(u"window/places"_s).toStringList();
    for (const QString &entry : stored.last(qMin(qsizetype(kMaxPlaces), stored.size()))) {
        const qsizetype space = entry.lastIndexOf(u' ');
        if (auto place = parsePlace(entry.sliced(space + 1))) {
            place->connection = entry.first(qMax(qsizetype(0), space));
            places.push_back(*std::move(place));
        }
    }
    return places;
}

void UiSettings::setPlaces(const std::vector<Place> &places)
{
    QStringList stored;
    for (const Place &place : places) {
        QString entry = place.connection + u' ' + place.topic;
        if (place.partition)
            entry += u'/' + QString::number(place.partition->value);
        if (place.partition && place.offset)
            entry += u'@' + QString::number(place.offset->value);
        stored.append(entry);
    }
    m_settings.setValue(u"window/places"_s, stored);
}

} // namespace topicscope::ui
