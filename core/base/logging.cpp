#include "core/base/logging.h"

Q_LOGGING_CATEGORY(lcBooblik, "topicscope.booblik", QtWarningMsg)
Q_LOGGING_CATEGORY(lcBroker, "topicscope.broker", QtWarningMsg)
Q_LOGGING_CATEGORY(lcSession, "topicscope.session", QtWarningMsg)
