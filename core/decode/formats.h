#pragma once

#include "core/records/payloadcodec.h"

#include <memory>

namespace topicscope
{

class SchemaRegistry;

/// A format by its name, for settings and the CLI: those of PayloadCodec and "auto", and those that
/// need a schema:
///
///   avro:FILE               FILE is an Avro schema (.avsc)
///   protobuf:FILE[#MESSAGE] FILE is a .proto file or a descriptor set; MESSAGE where it has
///   several registry                the schema whose id stands in the first five bytes
///
/// With a registry "auto" asks it for payloads that begin with an id. Files are read here and now.
/// The codec may be used by any thread; it lives as long as somebody holds it, and so does the
/// registry.
/// @error InvalidArgument: no such format, or something is wrong with its file; Io; Unsupported.
/// Thread: any; blocking (files).
Result<std::shared_ptr<const PayloadCodec>>
formatNamed(const QString &name, const std::shared_ptr<SchemaRegistry> &registry = {});

/// What formatNamed() knows, for help and errors: "text, latin1, …, avro:FILE, …".
QString formatNames();

} // namespace topicscope
