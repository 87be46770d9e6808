#include "ui/dialogs/registryform.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_RegistryForm final : public QObject
{
    Q_OBJECT
private slots:
    void showsAndGivesItsProperties();
    void tellsWhatIsWrong_data();
    void tellsWhatIsWrong();
};

void tst_RegistryForm::showsAndGivesItsProperties()
{
    RegistryForm form;
    QMap<QString, QString> properties{
        {u"schema.registry.url"_s, u"https://viewer:p%3Aw@registry:8081"_s},
        {u"schema.registry.ssl.ca.location"_s, u"/etc/ca.pem"_s},
        {u"security.protocol"_s, u"ssl"_s}};
    form.takeFrom(properties);
    QCOMPARE(properties.keys(), QStringList{u"security.protocol"_s}); // the rest is not its own
    QCOMPARE(form.findChild<QLineEdit *>(u"registryUser"_s)->text(), u"viewer"_s);
    const auto *password = form.findChild<QLineEdit *>(u"registryPassword"_s);
    QCOMPARE(password->text(), u"p:w"_s);
    QCOMPARE(password->echoMode(), QLineEdit::Password);
    // The login is no part of the address: it is kept as a secret.
    QCOMPARE(form.properties(),
             (QMap<QString, QString>{{u"schema.registry.url"_s, u"https://registry:8081"_s},
                                     {u"basic.auth.user.info"_s, u"viewer:p:w"_s},
                                     {u"schema.registry.ssl.ca.location"_s, u"/etc/ca.pem"_s}}));
    QSignalSpy changed(&form, &RegistryForm::changed);
    form.findChild<QLineEdit *>(u"registryUrl"_s)->clear();
    QVERIFY(changed.count() > 0);
    QVERIFY(form.properties().isEmpty());
}

void tst_RegistryForm::tellsWhatIsWrong_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("user");
    QTest::addColumn<bool>("isWrong");
    QTest::addColumn<bool>("isWarned");
    QTest::newRow("none") << QString() << QString() << false << false;
    QTest::newRow("https") << u"https://r:8081"_s << u"a"_s << false << false;
    QTest::newRow("no scheme") << u"r:8081"_s << QString() << true << false;
    QTest::newRow("colon") << u"https://r"_s << u"a:b"_s << true << false;
    QTest::newRow("http") << u"http://r:8081"_s << u"a"_s << false << true;
    QTest::newRow("http, no login") << u"http://r:8081"_s << QString() << false << false;
    QTest::newRow("here") << u"http://127.0.0.1:8081"_s << u"a"_s << false << false;
    QTest::newRow("several") << u"https://r:8081, https://s:8081"_s << QString() << false << false;
}

void tst_RegistryForm::tellsWhatIsWrong()
{
    QFETCH(const QString, url);
    QFETCH(const QString, user);
    QFETCH(const bool, isWrong);
    QFETCH(const bool, isWarned);
    RegistryForm form;
    form.findChild<QLineEdit *>(u"registryUrl"_s)->setText(url);
    form.findChild<QLineEdit *>(u"registryUser"_s)->setText(user);
    QCOMPARE(!form.problem().isEmpty(), isWrong);
    QCOMPARE(!form.warning().isEmpty(), isWarned);
}

QTEST_MAIN(tst_RegistryForm)
#include "tst_registryform.moc"
