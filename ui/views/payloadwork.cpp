#include "ui/views/payloadwork.h"

#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace topicscope::ui
{

namespace
{

using Bytes = std::span<const std::byte>;

constexpr qsizetype kPiece = qsizetype(1024) * 1024;

/// How far behind `begin` the needle begins for the first time.
template <typename Iterator, typename Searcher>
std::optional<qsizetype> firstPlace(Iterator begin, Iterator end, const Searcher &searcher,
                                    qsizetype needleSize, const std::stop_token &stop)
{
    for (Iterator at = begin; end - at >= needleSize && !stop.stop_requested();) {
        const Iterator pieceEnd = at + std::min<qsizetype>(end - at, kPiece + needleSize - 1);
        const Iterator found = searcher(at, pieceEnd).first;
        if (found != pieceEnd)
            return found - begin;
        at += std::min<qsizetype>(end - at, kPiece);
    }
    return std::nullopt;
}

/// The first place that begins in [from, to).
std::optional<qsizetype> firstIn(const char *bytes, qsizetype size, qsizetype from, qsizetype to,
                                 const QByteArray &needle, const std::stop_token &stop)
{
    const std::boyer_moore_searcher searcher(needle.begin(), needle.end());
    const auto found = firstPlace(bytes + from, bytes + std::min(size, to + needle.size() - 1),
                                  searcher, needle.size(), stop);
    return found ? std::optional(from + *found) : std::nullopt;
}

/// The last place that begins in [from, to).
std::optional<qsizetype> lastIn(const char *bytes, qsizetype size, qsizetype from, qsizetype to,
                                const QByteArray &needle, const std::stop_token &stop)
{
    const std::boyer_moore_searcher searcher(needle.rbegin(), needle.rend());
    const qsizetype end = std::min(size, to + needle.size() - 1);
    const auto found =
        firstPlace(std::reverse_iterator(bytes + end), std::reverse_iterator(bytes + from),
                   searcher, needle.size(), stop);
    return found ? std::optional(end - *found - needle.size()) : std::nullopt;
}

/// Calls done(piece) for one after the other. A character is in one piece, where it is one.
template <typename Done>
void inPieces(Bytes bytes, const std::stop_token &stop, Done done)
{
    constexpr size_t kMostOfACharacter = 4;
    while (!bytes.empty() && !stop.stop_requested()) {
        size_t size = std::min(bytes.size(), size_t(kPiece));
        if (size < bytes.size()) {
            const auto goesOn = [&](size_t at) {
                return (bytes[at] & std::byte{0xC0}) == std::byte{0x80};
            };
            size_t cut = size;
            while (size - cut < kMostOfACharacter && goesOn(cut))
                --cut;
            size = goesOn(cut) ? size : cut;
        }
        done(bytes.first(size));
        bytes = bytes.subspan(size);
    }
}

} // namespace

std::optional<qsizetype> findRound(Bytes bytes, const QByteArray &needle, qsizetype from,
                                   bool forward, const std::stop_token &stop)
{
    const auto *const data = reinterpret_cast<const char *>(bytes.data());
    const auto size = qsizetype(bytes.size());
    from = std::clamp<qsizetype>(from, 0, size);
    const auto find = forward ? firstIn : lastIn;
    const auto ahead = forward ? std::pair(from, size) : std::pair(qsizetype(0), from);
    const auto round = forward ? std::pair(qsizetype(0), from) : std::pair(from, size);
    const auto found = find(data, size, ahead.first, ahead.second, needle, stop);
    return found ? found : find(data, size, round.first, round.second, needle, stop);
}

QString textOf(Bytes bytes, const std::stop_token &stop)
{
    QString text;
    text.reserve(qsizetype(bytes.size()));
    inPieces(bytes, stop, [&](Bytes piece) { text += utf8Text(piece); });
    return text;
}

QString hexOf(Bytes bytes, const std::stop_token &stop)
{
    QString text;
    text.reserve(2 * qsizetype(bytes.size()));
    inPieces(bytes, stop, [&](Bytes piece) { text += hexString(piece); });
    return text;
}

QByteArray copyOf(Bytes bytes, const std::stop_token &stop)
{
    QByteArray copy;
    copy.reserve(qsizetype(bytes.size()));
    inPieces(bytes, stop, [&](Bytes piece) { copy += toByteArray(piece); });
    return copy;
}

} // namespace topicscope::ui
