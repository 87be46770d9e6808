#pragma once

#include "core/base/result.h"
#include "core/records/structurewriter.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace topicscope
{

/// What holds for every structured format, whatever the bytes: the text keeps within its limit and
/// is on one line where that was asked for; an error names a place inside the payload; and both
/// shapes agree on whether there is one.
template <typename Show>
void fuzzStructured(std::span<const std::uint8_t> input, Show show)
{
    constexpr qsizetype kSmall = 64;
    constexpr qsizetype kLarge = qsizetype(1) << 16;
    const auto bytes = std::as_bytes(input);
    const auto check = [&](const Result<ShapedText> &text, qsizetype limit, bool lines) {
        if (text && (text->text.size() > limit || (!lines && text->text.contains(u'\n'))))
            std::abort();
        if (text || !text.error().where.byte)
            return;
        if (*text.error().where.byte < 0 || *text.error().where.byte > qint64(bytes.size()))
            std::abort();
    };
    check(show(bytes, TextShape{kSmall, false}), kSmall, false);
    const auto line = show(bytes, TextShape{kLarge, false});
    const auto lines = show(bytes, TextShape{kLarge, true});
    check(line, kLarge, false);
    check(lines, kLarge, true);
    if (line && lines && !line->cut && !lines->cut &&
        QString(line->text).remove(u' ').remove(u'\n') !=
            QString(lines->text).remove(u' ').remove(u'\n'))
        std::abort();
    if (line.ok() != lines.ok() && !(line && line->cut) && !(lines && lines->cut))
        std::abort();
}

} // namespace topicscope
