#pragma once

#include <QHash>
#include <QList>
#include <QString>

#include <vector>

namespace topicscope
{

/// Messages as their fields are written, whatever the schema was read from (core/decode knows).
/// Thread: any; a value.
struct ProtobufSchema {
    enum class Kind {
        Int32,
        Int64,
        UInt32,
        UInt64,
        SInt, ///< 32 and 64 bits
        Bool,
        Enum,
        Fixed32,
        SFixed32,
        Float,
        Fixed64,
        SFixed64,
        Double,
        String,
        Bytes,
        Message,
        Group,
    };
    struct Field {
        QString name = {};
        Kind kind = Kind::Int32;
        int type = -1; ///< index into messages or enums
    };
    struct Message {
        QString name = {}; ///< in full
        QHash<quint32, Field> fields = {};
        QList<int> nested = {}; ///< those defined inside it, in order
    };
    struct Enum {
        QHash<qint32, QString> names = {};
    };

    std::vector<Message> messages;
    std::vector<Enum> enums;
    QList<int> topLevel; ///< the main file's own, in order
};

} // namespace topicscope
