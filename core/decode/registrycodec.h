#pragma once

#include "core/records/payloadcodec.h"

#include <memory>

namespace topicscope
{

class SchemaRegistry;

/// Payloads as Confluent's serializers write them: a byte 0, the schema's id in four bytes,
/// big-endian, then an Avro datum; or JSON (not validated); or for Protobuf the path to the message
/// (a count and that many indexes as zig-zag varints, a lone 0 for the first message), then the
/// message.
/// @param alsoOthers  what begins with no id is shown as PayloadCodec::automatic() does
/// Source: Confluent's "Wire format".
std::shared_ptr<const PayloadCodec> registryFormat(std::shared_ptr<SchemaRegistry> registry,
                                                   bool alsoOthers);

} // namespace topicscope
