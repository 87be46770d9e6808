// Formats by schema in the whole window: schemas of a registry and of files, chosen for a topic and
// for one record. Payloads are put together by hand.

#include "core/base/bytewriter.h"
#include "core/profiles/registryconfig.h"
#include "tests/support/registryserver.h"
#include "tests/ui/windowbench.h"
#include "ui/views/banner.h"
#include "ui/views/textview.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

constexpr const char *kSchema = R"({"type":"record","name":"test","fields":[
    {"name":"a","type":"long"},{"name":"b","type":"string"}]})";
const QString kDecoded = u"{\"a\": 27, \"b\": \"foo\"}"_s;
const QByteArray kDatum = QByteArray::fromHex("3606666f6f");

QByteArray answer(const QByteArray &schema, const QString &type)
{
    return QJsonDocument(
               QJsonObject{{u"schema"_s, QString::fromUtf8(schema)}, {u"schemaType"_s, type}})
        .toJson();
}

} // namespace

class tst_WindowFormats final : public WindowBench
{
    Q_OBJECT
private slots:
    void init();

    void registeredSchemasAreShownOnceTheyCame();
    void whatIsNotAsRegisteredSaysSo();
    void aRegistryThatCannotBeUsedIsSaidOnceAndTriedAgain();
    void aSchemaFileIsChosenForATopicAndRemembered();
    void aFileThatCannotBeReadIsSaid();
    void oneRecordIsReadOtherwise();
#ifdef TOPICSCOPE_WITH_PROTOBUF
    void theMessageOfASchemaFileIsAskedFor();
#endif

private:
    void openTopic(const QString &registry = {});
    QByteArray inspected() const
    {
        return toByteArray(child<TextView>(u"textView"_s)->bytes());
    }
    void write(const QString &name, const QByteArray &text) const;
    QString path(const QString &name) const
    {
        return m_dir->filePath(name);
    }
    void chooseFile(const QString &entry, const QString &file) const;
    QMenu *valueFormats() const;
    static QAction *entryOf(QMenu *menu, const QString &text);
};

void tst_WindowFormats::init()
{
    WindowBench::init();
    m_broker.addTopic(u"orders"_s, 1);
}

void tst_WindowFormats::openTopic(const QString &registry)
{
    showWindow();
    SessionConfig config;
    config.engine = Engine::Kafka;
    config.host = u"broker"_s;
    if (!registry.isEmpty())
        config.properties.insert(RegistryConfig::kUrl, registry);
    QSignalSpy opened(m_window.get(), &MainWindow::placeOpened);
    m_window->connectTo(config, {{{}, u"orders"_s, PartitionId{0}, Offset{0}}});
    QVERIFY(opened.wait());
}

void tst_WindowFormats::write(const QString &name, const QByteArray &text) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QAction *tst_WindowFormats::entryOf(QMenu *menu, const QString &text)
{
    emit menu->aboutToShow(); // it is filled then
    for (QAction *action : menu->actions()) {
        if (action->text().remove(u'&') == text)
            return action;
    }
    qFatal("no entry %s", qPrintable(text));
}

QMenu *tst_WindowFormats::valueFormats() const
{
    const auto menus = m_window->findChildren<QMenu *>();
    const auto found = std::ranges::find(menus, u"Show &Values As"_s, &QMenu::title);
    if (found == menus.end())
        qFatal("no menu of formats");
    return *found;
}

/// As a person does in View, Show Values As.
void tst_WindowFormats::chooseFile(const QString &entry, const QString &file) const
{
    entryOf(valueFormats(), entry)->trigger();
    auto *dialog = m_window->findChild<QFileDialog *>(u"schemaFileDialog"_s);
    QVERIFY(dialog);
    QCOMPARE(dialog->parentWidget()->window(), m_window.get()); // no menu: those are closed
    dialog->selectFile(file);
    QMetaObject::invokeMethod(dialog, "accept");
}

void tst_WindowFormats::registeredSchemasAreShownOnceTheyCame()
{
    test::RegistryServer server;
    server.answer("/schemas/ids/7", answer(kSchema, u"AVRO"_s));
    server.answer("/schemas/ids/8", answer(R"({"type":"object"})", u"JSON"_s));
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0000000007") + kDatum);
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0000000008") + R"({"x":1})");
    m_broker.append(u"orders"_s, 0, "plain");
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0000000007") + kDatum);
    openTopic(server.url());
    QTRY_COMPARE(values(), QStringList({kDecoded, u"{\"x\":1}"_s, u"plain"_s, kDecoded}));
    auto paths = server.paths();
    std::ranges::sort(paths);
    QCOMPARE(paths, QList<QByteArray>({"/schemas/ids/7", "/schemas/ids/8"}));
    QTRY_COMPARE(inspected(), "{\n  \"a\": 27,\n  \"b\": \"foo\"\n}");
    QCOMPARE(child<QLabel>(u"textState"_s)->text(), u"schema 7: test (Avro)"_s);
    child<QTableView>(u"recordTable"_s)->selectRow(1);
    QCOMPARE(inspected(), "{\n  \"x\": 1\n}");
    QCOMPARE(child<QLabel>(u"textState"_s)->text(), u"schema 8: JSON Schema, not validated"_s);
}

void tst_WindowFormats::whatIsNotAsRegisteredSaysSo()
{
    test::RegistryServer server;
    server.answer("/schemas/ids/7", answer(kSchema, u"AVRO"_s));
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("000000000736"));
    openTopic(server.url());
    const QAbstractItemModel &model = *child<QTableView>(u"recordTable"_s)->model();
    const auto toolTip = [&] {
        const QModelIndex cell = model.index(0, model.columnCount() - 1);
        return cell.data(Qt::ToolTipRole).toString();
    };
    QTRY_VERIFY2(toolTip().contains(u"Not registered schema: "_s), qPrintable(toolTip()));
}

void tst_WindowFormats::aRegistryThatCannotBeUsedIsSaidOnceAndTriedAgain()
{
    test::RegistryServer server;
    server.answer("/schemas/ids/7", answer(kSchema, u"AVRO"_s));
    server.refuseWith("401 Unauthorized");
    for (int i = 0; i < 50; ++i)
        m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0000000007") + kDatum);
    openTopic(server.url());
    auto *banner = child<Banner>(u"formatBanner"_s);
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(banner->text().contains(u"refuses the login (HTTP 401)"_s),
             qPrintable(banner->text()));
    QCOMPARE(values().first(), u"00000000073606666f6f"_s); // the bytes
    QCOMPARE(server.paths().size(), 1);
    const QLabel *state = child<QLabel>(u"textState"_s);
    QVERIFY2(state->text().startsWith(u"Shown as bytes: schema registry"_s),
             qPrintable(state->text()));
    server.refuseWith({});
    for (QToolButton *button : banner->findChildren<QToolButton *>()) {
        if (button->text() == u"Try Again"_s)
            button->click();
    }
    QTRY_COMPARE(values().first(), kDecoded);
    QTRY_VERIFY(!banner->isVisible());
    QTRY_COMPARE(state->text(), u"schema 7: test (Avro)"_s);
    QCOMPARE(server.paths().size(), 2);
}

void tst_WindowFormats::aSchemaFileIsChosenForATopicAndRemembered()
{
    write(u"test.avsc"_s, kSchema);
    m_broker.append(u"orders"_s, 0, kDatum);
    m_broker.append(u"orders"_s, 0, kDatum.first(3));
    openTopic();
    chooseFile(u"Avro by Schema File…"_s, path(u"test.avsc"_s));
    QTRY_COMPARE(values(), QStringList({kDecoded, u"360666"_s}));
    child<QTableView>(u"recordTable"_s)->selectRow(1);
    QCOMPARE(child<QLabel>(u"textState"_s)->text(),
             u"Not Avro (test): byte 1: string: 3 bytes, but 1 are left."_s);
    QVERIFY(inspected().startsWith("00000000  36 06 66 "));
    m_window.reset();
    openTopic();
    QTRY_COMPARE(values(), QStringList({kDecoded, u"360666"_s}));
    // The menu tells what is used.
    QVERIFY(entryOf(valueFormats(), u"Avro (test), by test.avsc"_s)->isChecked());
}

void tst_WindowFormats::aFileThatCannotBeReadIsSaid()
{
    write(u"test.avsc"_s, "{");
    m_broker.append(u"orders"_s, 0, kDatum);
    openTopic();
    chooseFile(u"Avro by Schema File…"_s, path(u"test.avsc"_s));
    auto *banner = child<Banner>(u"formatBanner"_s);
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(banner->text().contains(u"test.avsc"_s), qPrintable(banner->text()));
    QCOMPARE(values(), QStringList{u"3606666f6f"_s});
    QCOMPARE(child<QToolButton>(u"formatButton"_s)->text(), u"Read as: Avro"_s);
    QVERIFY(entryOf(valueFormats(), u"Avro, by test.avsc"_s)->isChecked());
    write(u"test.avsc"_s, kSchema);
    emit banner->actionTriggered();
    QTRY_COMPARE(values(), QStringList{kDecoded});
    QVERIFY(!banner->isVisible());
}

void tst_WindowFormats::oneRecordIsReadOtherwise()
{
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0000002a"));
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0000002b"));
    openTopic();
    const auto *button = child<QToolButton>(u"formatButton"_s);
    QCOMPARE(button->text(), u"Read as: automatic"_s);
    QMenu *menu = button->menu();
    const auto numbers = [&] { return entryOf(menu, u"Number or UUID"_s)->menu(); };
    entryOf(numbers(), u"signed 32 bit, big-endian"_s)->trigger();
    QCOMPARE(inspected(), "42");
    QCOMPARE(button->text(), u"Read as: signed 32 bit, big-endian, this record"_s);
    QVERIFY(values().first() != u"42"_s);
    child<QTableView>(u"recordTable"_s)->selectRow(1);
    QCOMPARE(button->text(), u"Read as: automatic"_s);
    entryOf(numbers(), u"signed 32 bit, big-endian"_s)->trigger();
    entryOf(menu, u"Use for All Values of the Topic"_s)->trigger();
    QCOMPARE(values(), QStringList({u"42"_s, u"43"_s}));
    QCOMPARE(button->text(), u"Read as: signed 32 bit, big-endian"_s);
    QCOMPARE(inspected(), "43");
}

#ifdef TOPICSCOPE_WITH_PROTOBUF
void tst_WindowFormats::theMessageOfASchemaFileIsAskedFor()
{
    write(u"two.proto"_s, "syntax = \"proto3\"; message A { int32 x = 1; }\n"
                          "message B { string y = 1; }");
    m_broker.append(u"orders"_s, 0, QByteArray::fromHex("0a03616263"));
    openTopic();
    chooseFile(u"Protobuf by Schema File…"_s, path(u"two.proto"_s));
    QTRY_VERIFY(m_window->findChild<QInputDialog *>(u"messageDialog"_s));
    auto *dialog = m_window->findChild<QInputDialog *>(u"messageDialog"_s);
    QCOMPARE(dialog->comboBoxItems(), QStringList({u"A"_s, u"B"_s}));
    dialog->setTextValue(u"B"_s);
    dialog->accept();
    QTRY_COMPARE(values(), QStringList{u"{y: \"abc\"}"_s});
}
#endif

QTEST_MAIN(tst_WindowFormats)
#include "tst_windowformats.moc"
