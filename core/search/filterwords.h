#pragma once

#include "core/search/filterexpression.h"

#include <QLatin1StringView>

#include <array>

namespace topicscope::search
{

// The words and signs of the filter language; for the parser alone.

struct Field {
    QLatin1StringView name;
    Subject subject;
};

inline constexpr std::array<Field, 8> kFields{{
    {QLatin1StringView("key"), Subject::Key},
    {QLatin1StringView("value"), Subject::Value},
    {QLatin1StringView("header"), Subject::Header},
    {QLatin1StringView("json"), Subject::Json},
    {QLatin1StringView("size"), Subject::Size},
    {QLatin1StringView("offset"), Subject::Offset},
    {QLatin1StringView("partition"), Subject::Partition},
    {QLatin1StringView("time"), Subject::Time},
}};

struct Operator {
    QLatin1StringView text;
    Test test;
};

/// Longer ones first.
inline constexpr std::array<Operator, 8> kSigns{{
    {QLatin1StringView("=="), Test::Equal},
    {QLatin1StringView("!="), Test::NotEqual},
    {QLatin1StringView("=~"), Test::Matches},
    {QLatin1StringView("<="), Test::LessOrEqual},
    {QLatin1StringView(">="), Test::GreaterOrEqual},
    {QLatin1StringView("<"), Test::Less},
    {QLatin1StringView(">"), Test::Greater},
    {QLatin1StringView("~"), Test::ContainsFolded},
}};

inline constexpr std::array<Operator, 5> kWords{{
    {QLatin1StringView("contains"), Test::Contains},
    {QLatin1StringView("icontains"), Test::ContainsFolded},
    {QLatin1StringView("starts"), Test::Starts},
    {QLatin1StringView("ends"), Test::Ends},
    {QLatin1StringView("exists"), Test::Exists},
}};

/// 5 and 7, not "5": what is compared as an integer.
bool isNumeric(Subject subject);
bool isJson(Subject subject);
bool isOrder(Test test);

/// The words that cannot stand alone: fields, operators, "and", "or", "not".
bool isReservedWord(QStringView word);

} // namespace topicscope::search
