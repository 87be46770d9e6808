#pragma once

#include "core/base/result.h"
#include "core/records/protobufschema.h"

#include <QByteArray>
#include <QMap>

namespace topicscope
{

// Protobuf schemas by Google's own compiler (libprotobuf). Texts nested deeper than any sensible
// schema, or too large, never reach it. Google's well-known types can always be imported.
// Thread: any; blocking (files, and tens of ms for large schemas).

/// A `.proto` file, whose imports are looked for in its folder and those above it, or a compiled
/// descriptor set. @error Io; InvalidArgument: the first thing wrong as "file:line:column: why";
/// Unsupported in a build without libprotobuf (option WITH_PROTOBUF).
Result<ProtobufSchema> readProtobufFile(const QString &path);

/// Texts by the names they are imported by; `main` is the one whose messages are wanted.
/// @error as above
Result<ProtobufSchema> parseProtobuf(const QMap<QString, QByteArray> &texts, const QString &main);

/// By its full name, or a part of it behind a dot where that is one alone; empty: the only message
/// of the main file. @error InvalidArgument, naming those there are.
Result<int> findMessage(const ProtobufSchema &schema, const QString &name);

} // namespace topicscope
