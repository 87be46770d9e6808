#pragma once

#include "core/base/error.h"

#include <QString>

namespace topicscope::ui
{

/// The error as a person reads it.
struct ErrorText {
    QString title;  ///< one short sentence: what failed
    QString where;  ///< topic, partition, offset, byte, endpoint; may be empty
    QString advice; ///< what to do next; may be empty
    /// All of it in one paragraph.
    QString full() const;
};

/// Plain words for an error, made from its kind and fields, never from its detail text.
ErrorText errorText(const Error &error);

} // namespace topicscope::ui
