#pragma once

#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"

#include <QString>

namespace topicscope::booblik
{

/// Reads u16 length + UTF-8; fails the reader when the name breaks the protocol's rule for names.
QString readTopicName(ByteReader &in);
/// The same without the rule: malformed UTF-8 becomes U+FFFD.
QString readTopicNameUnchecked(ByteReader &in);
void writeTopicName(ByteWriter &out, const QString &name);

/// A topic name as the broker accepts it: 1..249 UTF-16 units, each a letter (Lu Ll Lt Lm Lo), a
/// decimal digit (Nd), '.', '_' or '-'.
bool isValidTopicName(const QString &name);

} // namespace topicscope::booblik
