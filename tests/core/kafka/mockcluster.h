#pragma once

#include "core/session/sessionconfig.h"

#include <QTest>

#include <librdkafka/rdkafka_mock.h>

#include <optional>
#include <thread>
#include <vector>

namespace topicscope::test
{

/// The cluster and a plain producer to it, both librdkafka's and none of ours.
class MockCluster
{
public:
    MockCluster()
    {
        rd_kafka_conf_t *conf = rd_kafka_conf_new();
        rd_kafka_conf_set(conf, "bootstrap.servers", "127.0.0.1:1", nullptr, 0);
        rd_kafka_conf_set_log_cb(conf, nullptr);
        m_owner = rd_kafka_new(RD_KAFKA_PRODUCER, conf, nullptr, 0);
        m_cluster = rd_kafka_mock_cluster_new(m_owner, 1);
        conf = rd_kafka_conf_new();
        rd_kafka_conf_set(conf, "bootstrap.servers", rd_kafka_mock_cluster_bootstraps(m_cluster),
                          nullptr, 0);
        m_producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, nullptr, 0);
    }
    ~MockCluster()
    {
        // Takes a second, and nobody needs it: all of a program's end beside its next tests.
        static std::vector<std::jthread> ending;
        ending.emplace_back([owner = m_owner, producer = m_producer, cluster = m_cluster] {
            rd_kafka_destroy(producer);
            rd_kafka_mock_cluster_destroy(cluster);
            rd_kafka_destroy(owner);
        });
    }
    Q_DISABLE_COPY_MOVE(MockCluster)

    rd_kafka_mock_cluster_t *get() const { return m_cluster; }
    void createTopic(const char *name, int partitions)
    {
        QCOMPARE(rd_kafka_mock_topic_create(m_cluster, name, partitions, 1),
                 RD_KAFKA_RESP_ERR_NO_ERROR);
    }
    void produce(const char *topic, int partition, const std::optional<QByteArray> &key,
                 const std::optional<QByteArray> &value, qint64 timestamp = 0,
                 const QByteArray &header = "1")
    {
        const char *const keyBytes = key ? key->constData() : nullptr;
        const auto code = rd_kafka_producev(
            m_producer, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
            RD_KAFKA_V_KEY(const_cast<char *>(keyBytes), size_t(key ? key->size() : 0)),
            RD_KAFKA_V_VALUE(const_cast<char *>(value ? value->constData() : nullptr),
                             size_t(value ? value->size() : 0)),
            RD_KAFKA_V_TIMESTAMP(timestamp),
            RD_KAFKA_V_HEADER("h", header.constData(), header.size()),
            RD_KAFKA_V_HEADER("h", nullptr, -1), RD_KAFKA_V_HEADER("", "", 0), RD_KAFKA_V_END);
        QCOMPARE(code, RD_KAFKA_RESP_ERR_NO_ERROR);
    }
    void flush() { QCOMPARE(rd_kafka_flush(m_producer, 10'000), RD_KAFKA_RESP_ERR_NO_ERROR); }

    SessionConfig config() const
    {
        SessionConfig config;
        config.setBroker(QStringLiteral("kafka://") +
                         QString::fromLatin1(rd_kafka_mock_cluster_bootstraps(m_cluster)));
        return config;
    }

private:
    rd_kafka_t *m_owner = nullptr;
    rd_kafka_t *m_producer = nullptr;
    rd_kafka_mock_cluster_t *m_cluster = nullptr;
};

} // namespace topicscope::test
