#pragma once

#include "core/session/brokersession.h"

namespace topicscope
{
class ProfileSecrets;
class PropertyCatalog;
} // namespace topicscope

namespace topicscope::ui
{

/// What the connection dialogs work with; all of it outlives them.
struct ProfileServices {
    SessionFactory factory;
    const PropertyCatalog *catalog = nullptr; ///< null: the library's properties are not known
    ProfileSecrets *secrets = nullptr;        ///< null: nothing is remembered
};

} // namespace topicscope::ui
