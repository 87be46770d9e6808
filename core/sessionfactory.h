#pragma once

#include "core/session/brokersession.h"

namespace topicscope
{

/// Makes the session of the engine a config names; the one place that knows all engines.
SessionFactory defaultSessionFactory();

} // namespace topicscope
