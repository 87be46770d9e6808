#pragma once

#include "app/cli/commandline.h"
#include "core/session/capabilities.h"
#include "core/session/publish.h"

namespace topicscope::cli
{

/// How records are published, apart from what they say: the topic, --ack, --partition,
/// --partitioner and --compression. @error InvalidArgument.
Result<void> readDelivery(const CommandLine &line, const Capabilities &capabilities,
                          PublishRequest &request);

} // namespace topicscope::cli
