#pragma once

#include <QLoggingCategory>

// One category per component, warnings and above by default. Never log payload bytes or credentials
// above debug level.
Q_DECLARE_LOGGING_CATEGORY(lcBooblik)
Q_DECLARE_LOGGING_CATEGORY(lcBroker)
Q_DECLARE_LOGGING_CATEGORY(lcSession)
