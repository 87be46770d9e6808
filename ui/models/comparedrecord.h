#pragma once

#include "core/records/recordchunk.h"
#include "core/session/capabilities.h"
#include "ui/models/recordtext.h"

namespace topicscope::ui
{

/// A record to be compared with another one, and how it is read where it was found.
struct ComparedRecord {
    RecordChunkPtr chunk; ///< null: none
    int index = -1;
    Capabilities capabilities = {};
    RecordFormats formats = {};

    const Record &record() const { return chunk->records()[size_t(index)]; }
};

} // namespace topicscope::ui
