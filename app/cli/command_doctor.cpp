#include "app/cli/command_doctor.h"

#include "app/cli/client.h"
#include "app/cli/errorlines.h"
#include "core/doctor/doctor.h"
#include "core/records/jsonline.h"
#include "core/sessionfactory.h"

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

QByteArray asJson(const doctor::Check &check)
{
    JsonLine json;
    json.text("type", u"check"_s)
        .text("step", doctor::stepName(check.step))
        .text("subject", check.subject)
        .boolean("passed", check.outcome == doctor::Check::Outcome::Passed)
        .number("ms", check.elapsed.count())
        .text("result", check.result);
    if (!check.advice.isEmpty())
        json.text("advice", check.advice);
    return json.take();
}

void print(Client &client, const doctor::Check &check)
{
    if (client.json()) {
        client.out().line(asJson(check));
    } else {
        const bool passed = check.outcome == doctor::Check::Outcome::Passed;
        client.out().line(u"%1  %2  %3  %4 (%5 ms)"_s.arg(
            passed ? u"ok    "_s : u"FAILED"_s, doctor::stepName(check.step).leftJustified(8),
            drawn(check.subject), drawn(check.result), QString::number(check.elapsed.count())));
        if (!check.advice.isEmpty())
            client.out().line(u"        "_s + drawn(check.advice));
    }
    client.out().flush();
}

int runDoctor(const CommandLine &line)
{
    if (!line.positional().isEmpty())
        return usageError(u"doctor"_s, u"unexpected '%1'"_s.arg(line.positional().constFirst()));
    const auto config = sessionConfig(line);
    if (!config)
        return configError(u"doctor"_s, config.error());
    Client client(*config, line.has(u"json"_s));
    const auto passed =
        doctor::examine(*config, defaultSessionFactory(), client.call(std::chrono::minutes(5)),
                        [&client](const doctor::Check &check) { print(client, check); });
    if (!passed)
        return client.finish(client.fail(passed.error()));
    return client.finish(*passed ? ExitOk : ExitFailed);
}

} // namespace

Command doctorCommand()
{
    return {
        .verb = u"doctor"_s,
        .arguments = {},
        .summary = u"Find out why a broker cannot be used"_s,
        .details =
            u"Tells each step with its time and, where one failed, what to do next: name,\n"
            u"connect (TCP), tls, protocol (what speaks behind the port), login, metadata,\n"
            u"each broker the cluster names, and one fetch; of file:PATH whether it is whole.\n"
            u"Exit code 1 when one failed.\n"
            u"\n"
            u"Example:\n"
            u"  topicscope-cli doctor --broker kafka://broker.example:9092\n"_s,
        .options = brokerOptions(),
        .rawArguments = false,
        .run = runDoctor,
    };
}

} // namespace topicscope::cli
