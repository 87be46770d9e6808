#pragma once

#include "core/decode/avroschema.h"
#include "core/profiles/registryconfig.h"
#include "core/records/protobufschema.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace topicscope
{

struct RegisteredSchema {
    enum class Kind { Avro, Json, Protobuf };

    Kind kind = Kind::Avro;
    AvroSchema avro = {};
    ProtobufSchema protobuf = {};
};

/// The schemas of one Confluent-compatible registry: asked for once and then kept; one that is not
/// there is asked for again after a while, a registry that cannot be used after ever longer ones,
/// whatever the id: however many records name schemas, an unreachable registry costs one attempt at
/// a time. One that refuses the login is not asked again before tryAgain().
///
/// Thread: schema() and problem() any; the rest its own. Credentials are in no error and no log.
/// Source: Confluent's Schema Registry API reference, GET /schemas/ids/{id} and
/// /subjects/{subject}/versions/{version}.
class SchemaRegistry final : public QObject
{
    Q_OBJECT
public:
    enum class Asking {
        Blocking, ///< schema() waits for the registry: on a thread that may
        Later,    ///< it never does: what is not known yet is Busy, and changed() tells
    };
    using Answer = Result<std::shared_ptr<const RegisteredSchema>>;

    /// @param limit  for one schema with all it refers to
    SchemaRegistry(RegistryConfig config, Asking asking,
                   std::chrono::milliseconds limit = std::chrono::seconds(10));
    /// Ends a request that is out.
    ~SchemaRegistry() override;
    Q_DISABLE_COPY_MOVE(SchemaRegistry)

    /// @error Busy: asked for (Later alone); InvalidArgument: not there, or nothing we can read;
    /// Network, Timeout, Protocol: see problem().
    Answer schema(qint32 id);
    /// Why the registry cannot be used at the moment, for one banner: "schema registry
    /// http://host:8081: connection refused"; empty: it can.
    QString problem() const;
    /// What could not be had is asked for the next time somebody wants it.
    void tryAgain();

signals:
    /// A schema came, or problem() is another.
    void changed();

private:
    class Cache;
    std::unique_ptr<Cache> m_cache;
};

} // namespace topicscope
