#include "ui/models/headerlistmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;
using Form = HeaderListModel::Form;

class tst_HeaderListModel : public QObject
{
    Q_OBJECT
private slots:
    void bytesStayAsTheyAreGiven();
    void rowsAreAddedMovedAndRemoved();
    void formsKeepTheBytes();
    void wrongHexChangesNothing();

private:
    static QStringList column(const HeaderListModel &model, int column)
    {
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts += model.index(row, column).data().toString();
        return texts;
    }
};

void tst_HeaderListModel::bytesStayAsTheyAreGiven()
{
    const HeaderList headers{{"b", QByteArray("1")},
                             {"\xff", std::nullopt},
                             {"b", QByteArray("\x00\xff", 2)},
                             {"", QByteArray("")},
                             {"lines", QByteArray("a\nb")}};
    HeaderListModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setHeaders(headers);
    QCOMPARE(model.headers(), headers);
    QCOMPARE(column(model, HeaderListModel::NameColumn),
             QStringList({u"b"_s, u"‹FF›"_s, u"b"_s, QString(), u"lines"_s}));
    QCOMPARE(column(model, HeaderListModel::FormColumn),
             QStringList({u"text"_s, u"null"_s, u"hex"_s, u"text"_s, u"hex"_s}));
    QCOMPARE(column(model, HeaderListModel::ValueColumn),
             QStringList({u"1"_s, QString(), u"00 ff"_s, QString(), u"61 0a 62"_s}));
    // A name no text field could give back cannot be edited.
    QVERIFY(!(model.index(1, HeaderListModel::NameColumn).flags() & Qt::ItemIsEditable));
    QVERIFY(model.index(0, HeaderListModel::NameColumn).flags() & Qt::ItemIsEditable);
    // Looked at in an editor and left: nothing changes, also a null value stays null.
    QSignalSpy changed(&model, &HeaderListModel::changed);
    for (int row = 0; row < model.rowCount(); ++row) {
        for (const int at : {HeaderListModel::NameColumn, HeaderListModel::ValueColumn}) {
            const QModelIndex index = model.index(row, at);
            if (index.flags() & Qt::ItemIsEditable)
                QVERIFY(model.setData(index, index.data(Qt::EditRole), Qt::EditRole));
        }
    }
    QCOMPARE(changed.count(), 0);
    QCOMPARE(model.headers(), headers);
}

void tst_HeaderListModel::rowsAreAddedMovedAndRemoved()
{
    HeaderListModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (const auto &name : {u"a"_s, u"b"_s, u"c"_s})
        model.setData(model.index(model.add(), HeaderListModel::NameColumn), name, Qt::EditRole);
    QVERIFY(model.move(0, 1));
    QCOMPARE(column(model, HeaderListModel::NameColumn), QStringList({u"b"_s, u"a"_s, u"c"_s}));
    QVERIFY(model.move(2, -1));
    QCOMPARE(column(model, HeaderListModel::NameColumn), QStringList({u"b"_s, u"c"_s, u"a"_s}));
    QVERIFY(!model.move(0, -1));
    QVERIFY(!model.move(2, 1));
    model.remove(1);
    QCOMPARE(model.headers(), (HeaderList{{"b", QByteArray("")}, {"a", QByteArray("")}}));
}

void tst_HeaderListModel::formsKeepTheBytes()
{
    HeaderListModel model;
    model.setHeaders({{"h", QByteArray("été")}});
    const QModelIndex form = model.index(0, HeaderListModel::FormColumn);
    const QModelIndex value = model.index(0, HeaderListModel::ValueColumn);
    const auto set = [&](Form to) {
        return model.setData(form, QVariant::fromValue(to), HeaderListModel::FormRole);
    };
    QVERIFY(set(Form::Hex));
    QCOMPARE(value.data().toString(), u"c3 a9 74 c3 a9"_s);
    QVERIFY(set(Form::Text));
    QCOMPARE(value.data().toString(), u"été"_s);
    QVERIFY(set(Form::Null));
    QVERIFY(!model.headers()[0].value.has_value());
    QVERIFY(set(Form::Text));
    QVERIFY(model.headers()[0].value.has_value());
    QVERIFY(set(Form::Hex));
    QVERIFY(model.setData(value, u"ff"_s, Qt::EditRole));
    QSignalSpy refused(&model, &HeaderListModel::refused);
    QVERIFY(!set(Form::Text)); // would not stay the same
    QCOMPARE(refused.count(), 1);
    QCOMPARE(model.headers()[0].value, std::optional(QByteArray("\xff")));
    // Typing into a null value makes it text.
    QVERIFY(set(Form::Null));
    QVERIFY(model.setData(value, u"x"_s, Qt::EditRole));
    QCOMPARE(model.headers()[0].value, std::optional(QByteArray("x")));
    QCOMPARE(form.data().toString(), u"text"_s);
}

void tst_HeaderListModel::wrongHexChangesNothing()
{
    HeaderListModel model;
    model.setHeaders({{"h", QByteArray("\x01")}});
    QSignalSpy refused(&model, &HeaderListModel::refused);
    QSignalSpy changed(&model, &HeaderListModel::changed);
    QVERIFY(!model.setData(model.index(0, HeaderListModel::ValueColumn), u"0g"_s, Qt::EditRole));
    QVERIFY(refused.at(0).at(0).toString().contains(u"no hex"_s));
    QCOMPARE(changed.count(), 0);
    QCOMPARE(model.headers()[0].value, std::optional(QByteArray("\x01")));
}

QTEST_MAIN(tst_HeaderListModel)
#include "tst_headerlistmodel.moc"
