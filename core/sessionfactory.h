#pragma once

#include "core/session/brokersession.h"

namespace topicscope
{

class PropertyCatalog;

/// Makes the session of the engine a config names; the one place that knows all engines.
SessionFactory defaultSessionFactory();

/// What the library behind Apache Kafka knows of its properties; null in a build without it. Lives
/// as long as the program.
const PropertyCatalog *kafkaPropertyCatalog();

} // namespace topicscope
