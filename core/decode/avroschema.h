#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <vector>

class QJsonObject;
class QJsonValue;

namespace topicscope
{

/// One type of an Avro schema; others are told by their place in AvroSchema::types().
struct AvroType {
    enum class Kind {
        Null,
        Boolean,
        Int,
        Long,
        Float,
        Double,
        Bytes,
        String,
        Record,
        Enum,
        Array,
        Map,
        Union,
        Fixed,
    };
    struct Field {
        QString name;
        int type = 0;
    };

    Kind kind = Kind::Null;
    QString name = {};        ///< in full; of what has no name of its own: what the schema calls it
    QString logical = {};     ///< "timestamp-millis", …; empty: none
    int scale = 0;            ///< of the logical type decimal
    qint64 size = 0;          ///< of Fixed
    QList<Field> fields = {}; ///< of Record
    QStringList symbols = {}; ///< of Enum
    QList<int> branches = {}; ///< of Union
    int item = 0;             ///< of Array and Map
};

/// An Avro schema, parsed. Not the C library's: that one reads data with memory for every size they
/// claim and with a call for every level, keeps no logical types, and knows no references between
/// schemas. Thread: any; a value.
/// Source: the Avro specification, 1.11, "Schema Declaration".
class AvroSchema
{
public:
    /// @param references  schemas whose named types this one may use, each after those it uses
    /// @error InvalidArgument: no JSON (where.byte), an unknown type, a type without what it needs.
    static Result<AvroSchema> parse(const QByteArray &json,
                                    const QList<QByteArray> &references = {});

    const AvroType &type(int index) const { return m_types[size_t(index)]; }
    int root() const { return m_root; }
    /// What the schema is called, for people: its name or its type.
    QString name() const { return type(m_root).name; }

private:
    Result<int> add(const QJsonValue &json, const QString &space, int depth);
    Result<int> addNamed(const QJsonObject &json, const QString &space, int depth);
    Result<int> addUnion(const QJsonValue &json, const QString &space, int depth);
    Result<void> addFields(int record, const QJsonObject &json, const QString &space, int depth);
    int put(AvroType type);

    std::vector<AvroType> m_types;
    QHash<QString, int> m_named; ///< by full name
    int m_root = 0;
};

} // namespace topicscope
