#pragma once

#include <QLatin1StringView>
#include <QString>
#include <QStringList>

namespace topicscope::kafka
{

// What the librdkafka that is running cannot do; the one place that asks for its version or its
// build. Thread: any.

/// The largest record the library sends or takes; the topic's limit decides.
inline constexpr qint64 kMaxRecordBytes = 1'000'000'000;

/// "librdkafka 2.0.2".
QString libraryName();

/// Whether it was built with this feature, e.g. "sasl_gssapi".
bool isBuiltIn(QLatin1StringView feature);

/// Why a login by this SASL mechanism will or may not succeed whatever is entered, and which
/// version does better; empty when nothing is known.
QString loginLimit(const QString &mechanism);

/// What newer versions or other builds of the library have and this program would show, each with
/// the version it needs: "leader epoch of a record (librdkafka 2.1.0)".
QStringList missingFeatures();

} // namespace topicscope::kafka
