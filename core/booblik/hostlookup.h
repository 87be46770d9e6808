#pragma once

#include "core/base/callcontext.h"
#include "core/base/result.h"

#include <QHostAddress>
#include <QList>

#include <functional>

namespace topicscope::booblik
{

/// Resolves a name, blocking for as long as the system takes. @error Network.
using Resolver = std::function<Result<QList<QHostAddress>>(const QString &host)>;

/// The system's resolver.
Result<QList<QHostAddress>> systemResolver(const QString &host);

/// Addresses of a host, in the order to try them; never empty. A literal address is its own answer.
/// The resolver cannot be interrupted, so it runs on a thread of its own that is left behind when
/// the call is cancelled or out of time.
/// @error Network (with the system's words), Cancelled, Timeout.
/// Thread: any; blocking.
Result<QList<QHostAddress>> lookUpHost(const QString &host, const CallContext &context,
                                       const Resolver &resolver = systemResolver);

} // namespace topicscope::booblik
