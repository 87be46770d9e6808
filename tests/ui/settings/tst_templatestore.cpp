#include "ui/settings/templatestore.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_TemplateStore : public QObject
{
    Q_OBJECT
private slots:
    void recordsComeBackByteForByte();
    void renamingReplacesNothing();
    void damagedFileIsNotOverwritten();

private:
    QTemporaryDir m_dir;
};

void tst_TemplateStore::recordsComeBackByteForByte()
{
    const QString file = m_dir.filePath(u"new/templates.json"_s);
    const RecordContent record{
        std::nullopt, QByteArray("\x00\xff", 2), {{"h", std::nullopt}, {"h", QByteArray("")}}, 7};
    QVERIFY(TemplateStore(file).names().isEmpty());
    QVERIFY(TemplateStore(file).save(u" b & co "_s, record).ok());
    QVERIFY(TemplateStore(file).save(u"a"_s, {QByteArray(""), std::nullopt, {}, {}}).ok());
    const TemplateStore store(file);
    QCOMPARE(store.names(), QStringList({u"a"_s, u"b & co"_s}));
    QCOMPARE(store.content(u"b & co"_s).value(), record);
    const RecordContent other = store.content(u"a"_s).value();
    QVERIFY(other.key.has_value() && !other.value.has_value());
    QVERIFY(!store.content(u"c"_s).ok());
    // It may hold what is nobody else's business.
    QCOMPARE(QFile::permissions(file) &
                 (QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteOther),
             QFileDevice::Permissions());
}

void tst_TemplateStore::renamingReplacesNothing()
{
    TemplateStore store(m_dir.filePath(u"rename.json"_s));
    QVERIFY(!store.save(u"  "_s, {}).ok());
    QVERIFY(store.save(u"a"_s, {QByteArray("1"), {}, {}, {}}).ok());
    QVERIFY(store.save(u"b"_s, {QByteArray("2"), {}, {}, {}}).ok());
    QVERIFY(!store.rename(u"a"_s, u"b"_s).ok());
    QVERIFY(!store.rename(u"a"_s, u""_s).ok());
    QVERIFY(!store.rename(u"c"_s, u"d"_s).ok());
    QVERIFY(store.rename(u"a"_s, u"c"_s).ok());
    QCOMPARE(store.names(), QStringList({u"b"_s, u"c"_s}));
    QCOMPARE(store.content(u"c"_s)->key, std::optional(QByteArray("1")));
    QVERIFY(store.save(u"c"_s, {QByteArray("3"), {}, {}, {}}).ok()); // replaced
    QCOMPARE(store.content(u"c"_s)->key, std::optional(QByteArray("3")));
    QVERIFY(store.remove(u"b"_s).ok());
    QCOMPARE(store.names(), QStringList({u"c"_s}));
}

void tst_TemplateStore::damagedFileIsNotOverwritten()
{
    const QString path = m_dir.filePath(u"damaged.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"templates\": [");
    file.close();
    TemplateStore store(path);
    QVERIFY(store.names().isEmpty());
    const auto saved = store.save(u"a"_s, {});
    QVERIFY(!saved.ok());
    QCOMPARE(saved.error().kind, ErrorKind::Io);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "{\"templates\": [");
}

QTEST_APPLESS_MAIN(tst_TemplateStore)
#include "tst_templatestore.moc"
