#pragma once

#include "core/base/error.h"

#include <memory>
#include <mutex>
#include <optional>

namespace topicscope
{

/// What the clients of one connection tell each other of a login that was refused, so that none
/// tries it once more, which could lock the account. Thread: any.
class LoginRefusal
{
public:
    /// Refused; whoever looks knows it from now on.
    void add(const Error &error);
    /// Clients made from now on may try.
    void forget();

    /// For a client to keep when it is made.
    quint64 forgotten() const;
    /// The last refusal that a client made then must heed: older ones than forget() are none.
    std::optional<Error> since(quint64 forgotten) const;

private:
    mutable std::mutex m_mutex;
    quint64 m_count = 0;
    quint64 m_forgotten = 0; ///< of them
    std::optional<Error> m_last;
};

/// The refusal of a connection, the same in all copies of its configuration; null: nobody else is
/// to know. No two differ, since nobody configured it.
struct SharedRefusal {
    std::shared_ptr<LoginRefusal> shared;

    bool operator==(const SharedRefusal &) const { return true; }
};

} // namespace topicscope
