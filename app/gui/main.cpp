#include "app/gui/localbroker.h"
#include "app/gui/options.h"
#include "app/gui/snapshot.h"
#include "core/profiles/connectionstore.h"
#include "core/profiles/profilesecrets.h"
#include "core/records/timestyle.h"
#include "core/sessionfactory.h"
#include "ui/errortext.h"
#include "ui/mainwindow.h"

#include <QApplication>
#include <QLoggingCategory>
#include <QMessageBox>
#include <QTemporaryDir>

#include <cstdio>
#include <optional>

using namespace topicscope;
using namespace topicscope::gui;
using namespace Qt::StringLiterals;

namespace
{

constexpr int kUsageError = 2;

QStringList argumentsOf(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    return arguments;
}

/// What was open on this connection last time.
std::vector<ui::Place> rememberedPlaces(const ui::UiSettings &settings, const QString &connection)
{
    std::vector<ui::Place> places = settings.places();
    std::erase_if(places, [&](const ui::Place &place) { return place.connection != connection; });
    return places;
}

void showBrokerFailure(ui::MainWindow *window, const Error &error)
{
    auto *box = new QMessageBox(QMessageBox::Warning, QApplication::tr("Embedded broker"),
                                QApplication::tr("The embedded broker could not start."),
                                QMessageBox::Ok, window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(ui::errorText(error).full());
    box->open();
}

int runWindow(const Options &options)
{
    const bool isSnapshot = !options.snapshotFile.isEmpty();
    // A snapshot shows what everybody would see, not what was changed on this machine.
    const QTemporaryDir temporary;
    const QString file = isSnapshot ? temporary.filePath(u"settings.ini"_s) : QString();
    ui::UiSettings settings(file);
    ConnectionStore store(file);
    ProfileSecrets secrets(isSnapshot ? nullptr : systemKeychain());
    ui::applyColorScheme(options.scheme.value_or(settings.colorScheme()));
    TimeStyle::setCurrent(settings.timeStyle());

    ui::MainWindow window(defaultSessionFactory(), &settings, &store, &secrets);
    std::unique_ptr<Snapshot> snapshot;
    if (isSnapshot)
        snapshot = std::make_unique<Snapshot>(&window, options.snapshotFile, options.snapshotSize);
    else
        window.show();

    const auto placesOn = [&](const SessionConfig &config, std::vector<ui::Place> places) {
        if (options.open)
            places = {*options.open};
        else if (places.empty() && !isSnapshot)
            places = rememberedPlaces(settings, config.displayName());
        if (places.empty() && isSnapshot)
            places = {ui::Place{}}; // the first topic
        return places;
    };

    const bool isOrdinary = !isSnapshot && !options.sample && !options.connection;
    window.setRemembersPlaces(isOrdinary);
    if (isOrdinary) {
        for (const auto &kept : store.connections()) {
            const auto places = rememberedPlaces(settings, kept.config.displayName());
            if (!places.empty())
                window.connectKept(kept, places);
        }
    }

    std::unique_ptr<LocalBroker> local;
    if (options.connection) {
        window.connectTo(*options.connection, placesOn(*options.connection, {}));
    } else {
        local = std::make_unique<LocalBroker>(options.sample ? LocalBroker::Data::Sample
                                                             : LocalBroker::Data::Own);
        QObject::connect(local.get(), &LocalBroker::ready, &window,
                         [&](const SessionConfig &config, const std::vector<ui::Place> &places) {
                             window.offer(config);
                             window.connectTo(config, placesOn(config, places));
                         });
        QObject::connect(local.get(), &LocalBroker::failed, &window, [&](const Error &error) {
            if (snapshot)
                snapshot->fail(describe(error));
            else
                showBrokerFailure(&window, error);
        });
        QObject::connect(local.get(), &LocalBroker::warning, &window, &ui::MainWindow::showNotice);
        local->start();
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setApplicationName(u"topicscope"_s); // also names the folders of its data
    QGuiApplication::setApplicationDisplayName(u"Topicscope"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(TOPICSCOPE_VERSION));

    const auto options = parseOptions(argumentsOf(argc, argv));
    if (!options) {
        std::fprintf(stderr, "topicscope: %s\nTry topicscope --help.\n",
                     qPrintable(options.error().detail));
        return kUsageError;
    }
    switch (options->start) {
    case Options::Start::Help:
        std::fputs(qPrintable(options->helpText), stdout);
        return 0;
    case Options::Start::Version:
        std::puts("topicscope " TOPICSCOPE_VERSION);
        return 0;
    case Options::Start::Window:
        break;
    }
    if (!hasDisplay()) {
        if (options->snapshotFile.isEmpty()) {
            std::fputs("topicscope: there is no display; --snapshot FILE.png renders the window "
                       "without one, and topicscope-cli does the same work in a terminal.\n",
                       stderr);
            return 1;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // The platform without a display warns about all that it cannot do.
        QLoggingCategory::setFilterRules(u"default.warning=false"_s);
    }

    const QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(u"topicscope"_s);
    return runWindow(*options);
}
