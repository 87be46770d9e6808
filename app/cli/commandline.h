#pragma once

#include "core/base/result.h"

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <limits>
#include <optional>

namespace topicscope::cli
{

/// One option a verb understands: --name, or -l where it has a letter.
struct Option {
    QString name;      ///< without the dashes
    QString valueName; ///< e.g. "SECONDS"; empty = a switch without a value
    QString help;
    QChar letter = {};
    bool repeatable = false;
};

/// The arguments behind a verb, split into options and positional arguments. Understood are
/// "--name value", "--name=value", "-l value" and "--" before arguments that begin with a dash. An
/// option's value is whatever follows it, "-100" and "" included: nothing is dropped.
class CommandLine
{
public:
    /// @error InvalidArgument: unknown option, missing or superfluous value, option given twice.
    static Result<CommandLine> parse(const QStringList &arguments, const QList<Option> &options);
    /// No options at all.
    static CommandLine raw(const QStringList &arguments);

    const QStringList &positional() const { return m_positional; }
    bool has(const QString &name) const { return m_values.contains(name); }
    std::optional<QString> value(const QString &name) const;
    /// Of a repeatable option, in the order given.
    QStringList values(const QString &name) const { return m_values.value(name); }

    /// A whole decimal number, `fallback` when the option is not there.
    /// @error InvalidArgument when it is none, or outside min..max.
    Result<qint64> number(const QString &name, qint64 fallback, qint64 min = 0,
                          qint64 max = std::numeric_limits<qint64>::max()) const;

private:
    QStringList m_positional;
    QHash<QString, QStringList> m_values;
};

/// A whole decimal number between min and max, ASCII digits only.
std::optional<qint64> parseNumber(QStringView text, qint64 min, qint64 max);

} // namespace topicscope::cli
