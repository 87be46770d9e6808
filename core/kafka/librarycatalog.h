#pragma once

#include "core/profiles/propertycatalog.h"

namespace topicscope::kafka
{

/// librdkafka's properties, read from the library itself, so that they fit its version.
class LibraryCatalog final : public PropertyCatalog
{
public:
    LibraryCatalog();

    QString library() const override;
    const QList<EngineProperty> &properties() const override { return m_properties; }
    QString problem(const QString &name, const QString &value) const override;
    QString loginLimit(const QString &mechanism) const override;
    QStringList missingFeatures() const override;

private:
    QList<EngineProperty> m_properties;
};

/// The table rd_kafka_conf_properties_show() prints: lines of cells separated by '|', the last of
/// them free text. Callbacks and what only the library's tests use are left out.
QList<EngineProperty> parseCatalog(const QString &table);

} // namespace topicscope::kafka
