#pragma once

#include "core/base/error.h"

#include <QtGlobal>

#include <utility>
#include <variant>

namespace topicscope
{

/// A value or an Error; the shape of std::expected, which C++20 does not have.
/// Thread: any; a plain value.
template <typename T>
class [[nodiscard]] Result
{
public:
    // NOLINTNEXTLINE(google-explicit-constructor): `return value;` is the point
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    // NOLINTNEXTLINE(google-explicit-constructor): `return error;` is the point
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T &value() const &
    {
        Q_ASSERT(ok());
        return *std::get_if<0>(&m_state);
    }
    T &value() &
    {
        Q_ASSERT(ok());
        return *std::get_if<0>(&m_state);
    }
    T &&value() &&
    {
        Q_ASSERT(ok());
        return std::move(*std::get_if<0>(&m_state));
    }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }
    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }

    const Error &error() const &
    {
        Q_ASSERT(!ok());
        return *std::get_if<1>(&m_state);
    }
    Error &&error() &&
    {
        Q_ASSERT(!ok());
        return std::move(*std::get_if<1>(&m_state));
    }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an Error. `return {};` is success.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): `return error;` is the point
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error &error() const &
    {
        Q_ASSERT(!ok());
        return *m_error;
    }
    Error &&error() &&
    {
        Q_ASSERT(!ok());
        return std::move(*m_error);
    }

private:
    std::optional<Error> m_error;
};

} // namespace topicscope
