#include "core/search/decimal.h"

#include <algorithm>

namespace topicscope::search
{

namespace
{

constexpr qint64 kMostExponent = 100'000'000'000'000'000;

size_t digitsAt(std::string_view text, size_t from)
{
    size_t end = from;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
        ++end;
    return end - from;
}

/// Of digits alone; beyond the bound it is the bound.
qint64 exponentOf(std::string_view digits)
{
    qint64 number = 0;
    for (const char digit : digits)
        number = std::min(number * 10 + (digit - '0'), kMostExponent);
    return number;
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text)
{
    Decimal number;
    size_t at = 0;
    if (at < text.size() && text[at] == '-') {
        number.m_negative = true;
        ++at;
    }
    const size_t whole = digitsAt(text, at);
    if (whole == 0 || (whole > 1 && text[at] == '0'))
        return std::nullopt;
    number.m_whole = text.substr(at, whole);
    at += whole;
    if (at < text.size() && text[at] == '.') {
        const size_t fraction = digitsAt(text, ++at);
        if (fraction == 0)
            return std::nullopt;
        number.m_fraction = text.substr(at, fraction);
        at += fraction;
    }
    qint64 exponent = 0;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        const bool negative = at < text.size() && text[at] == '-';
        if (negative || (at < text.size() && text[at] == '+'))
            ++at;
        const size_t digits = digitsAt(text, at);
        if (digits == 0)
            return std::nullopt;
        exponent = exponentOf(text.substr(at, digits)) * (negative ? -1 : 1);
        at += digits;
    }
    if (at != text.size())
        return std::nullopt;

    // What counts begins with the first digit that is not 0.
    constexpr std::string_view kZero = "0";
    qint64 magnitude = qint64(number.m_whole.size()) - 1;
    if (number.m_whole == kZero) {
        number.m_whole = {};
        const size_t zeros =
            std::min(number.m_fraction.find_first_not_of(kZero), number.m_fraction.size());
        number.m_fraction.remove_prefix(zeros);
        magnitude = -1 - qint64(zeros);
    }
    // … and ends with the last.
    const auto withoutZeros = [&](std::string_view digits) {
        return digits.substr(0, digits.find_last_not_of(kZero) + 1);
    };
    number.m_fraction = withoutZeros(number.m_fraction);
    if (number.m_fraction.empty())
        number.m_whole = withoutZeros(number.m_whole);
    if (number.digits() == 0)
        return Decimal(); // -0 is 0, whatever its exponent
    number.m_magnitude = magnitude + exponent;
    return number;
}

size_t Decimal::digits() const
{
    return m_whole.size() + m_fraction.size();
}

char Decimal::digit(size_t i) const
{
    return i < m_whole.size() ? m_whole[i] : m_fraction[i - m_whole.size()];
}

std::strong_ordering Decimal::operator<=>(const Decimal &other) const
{
    const auto sign = [](const Decimal &number) {
        if (number.digits() == 0)
            return 0;
        return number.m_negative ? -1 : 1;
    };
    if (const auto bySign = sign(*this) <=> sign(other); bySign != 0)
        return bySign;
    const auto bySize = [&]() -> std::strong_ordering {
        if (const auto order = m_magnitude <=> other.m_magnitude; order != 0)
            return order;
        const size_t both = std::min(digits(), other.digits());
        for (size_t i = 0; i < both; ++i) {
            if (const auto order = digit(i) <=> other.digit(i); order != 0)
                return order;
        }
        return digits() <=> other.digits(); // the last one is not 0
    }();
    return m_negative ? 0 <=> bySize : bySize;
}

} // namespace topicscope::search
