#pragma once

#include "core/base/result.h"
#include "core/session/sessionconfig.h"

namespace topicscope::cli
{

/// A connection the user keeps in the window, with those of its secrets that the keychain has and
/// the environment has not. @error InvalidArgument naming those there are.
Result<SessionConfig> keptConnection(const QString &name);

/// Adds what a Java client's or kcat's configuration file says; what was not taken is said on
/// standard error. @error Io, InvalidArgument.
Result<void> readConfigFile(const QString &file, SessionConfig &config);

/// The environment variable a secret is taken from: TOPICSCOPE_SECRET_SASL_PASSWORD.
QString secretVariable(const QString &property);

/// Adds the secrets that the login needs and the config lacks: from the environment, or typed on
/// the terminal.
/// @error InvalidArgument naming what is missing; Cancelled by Ctrl-C at the question.
Result<void> addSecrets(SessionConfig &config);

} // namespace topicscope::cli
