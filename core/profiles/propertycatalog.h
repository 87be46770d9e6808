#pragma once

#include <QList>
#include <QString>
#include <QStringView>

namespace topicscope
{

/// One property of an engine's client library, as the library describes it.
struct EngineProperty {
    QString name;
    QString values; ///< "true, false", "1 .. 3600000", or a type
    QString defaultValue;
    QString description;
};

/// Whether the program sets this property itself, over what anybody says: what it promises (no
/// trace left by looking, no silent jump, no publish repeated) rests on it.
bool isFixedByProgram(QStringView property);

/// Whether a client library runs code of others as soon as it is given this property: such a one is
/// taken from nowhere, not even to be checked.
bool loadsForeignCode(QStringView property);

/// Whether a client library runs this property's value as a command of a shell: taken from whoever
/// types it and is told so, never from a file of others.
bool runsCommand(QStringView property);

/// Whether this value becomes part of such a command and holds what a shell acts on: taken from
/// nowhere.
bool breaksCommand(QStringView property, QStringView value);

/// What an engine's client library knows about its properties. Thread: any.
class PropertyCatalog
{
public:
    PropertyCatalog() = default;
    virtual ~PropertyCatalog() = default;
    Q_DISABLE_COPY_MOVE(PropertyCatalog)

    /// The library and its version.
    virtual QString library() const = 0;
    /// By name; those that can be entered.
    virtual const QList<EngineProperty> &properties() const = 0;
    /// What is wrong with this pair, in the library's words and never with a secret; empty when
    /// nothing is.
    virtual QString problem(const QString &name, const QString &value) const = 0;
    /// What stands in the way of logging in by this SASL mechanism; empty when nothing is known.
    virtual QString loginLimit(const QString &mechanism) const = 0;
    /// What this version of the library lacks, each with the version that has it.
    virtual QStringList missingFeatures() const = 0;
};

} // namespace topicscope
