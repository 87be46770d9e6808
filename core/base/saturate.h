#pragma once

#include <QtGlobal>

#include <limits>

namespace topicscope
{

/// The sum of two that are not negative, at most the largest there is: of what files and brokers
/// claim to have there may be as much as anybody likes.
constexpr qint64 saturatingSum(qint64 left, qint64 right)
{
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    return left > most - right ? most : left + right;
}

} // namespace topicscope
