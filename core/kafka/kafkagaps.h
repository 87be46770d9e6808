#pragma once

#include "core/base/result.h"
#include "core/session/fetch.h"

#include <functional>

namespace topicscope::kafka
{

/// One fetch of all that is in the log.
using FetchEverything = std::function<Result<FetchResult>(const FetchRequest &)>;

/// Tells apart what a committed read left out (NotCommitted), by reading those offsets uncommitted:
/// below the last stable offset every transaction is decided, so records found there are of aborted
/// ones. No more than kLookBytes are read for one result; what lies behind stays as it is, and so
/// does all when reading fails. Thread: any; blocks as `everything` does.
void nameGaps(FetchResult &committed, const FetchEverything &everything);

inline constexpr qint64 kLookBytes = qint64(8) * 1024 * 1024;

} // namespace topicscope::kafka
