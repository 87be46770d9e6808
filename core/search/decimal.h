#pragma once

#include <QtGlobal>

#include <compare>
#include <optional>
#include <string_view>

namespace topicscope::search
{

/// A number as JSON writes it, compared by its digits: never through binary floating point, so that
/// 64-bit integers, long fractions and exponents of any size are what they say. Borrows its text.
/// Thread: any (a value).
class Decimal
{
public:
    /// nullopt when `text` as a whole is no JSON number (RFC 8259, section 6).
    static std::optional<Decimal> parse(std::string_view text);

    /// 1.0 = 1 = 10e-1; -0 = 0. Exact unless both exponents are beyond ±10¹⁷. Looks at no
    /// more digits than the shorter one has.
    std::strong_ordering operator<=>(const Decimal &other) const;
    bool operator==(const Decimal &other) const { return (*this <=> other) == 0; }

    /// The power of ten of the first digit that counts; 0 for zero.
    qint64 magnitude() const { return m_magnitude; }

private:
    /// Digits that count: from the first to the last that is not 0, the point left out.
    size_t digits() const;
    char digit(size_t i) const;

    bool m_negative = false;
    std::string_view m_whole;    ///< digits that count before the point …
    std::string_view m_fraction; ///< … and behind it; none at all: zero
    qint64 m_magnitude = 0;
};

} // namespace topicscope::search
