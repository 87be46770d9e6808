#include "core/search/filterwords.h"

#include <algorithm>

namespace topicscope::search
{

bool isNumeric(Subject subject)
{
    return subject == Subject::Size || subject == Subject::Offset ||
           subject == Subject::Partition || subject == Subject::Time;
}

bool isJson(Subject subject)
{
    return subject == Subject::Json || subject == Subject::KeyJson;
}

bool isOrder(Test test)
{
    return test == Test::Less || test == Test::LessOrEqual || test == Test::Greater ||
           test == Test::GreaterOrEqual;
}

bool isReservedWord(QStringView word)
{
    const auto is = [&](QLatin1StringView other) {
        return word.compare(other, Qt::CaseInsensitive) == 0;
    };
    return is(QLatin1StringView("and")) || is(QLatin1StringView("or")) ||
           is(QLatin1StringView("not")) ||
           std::ranges::any_of(kFields, [&](const Field &f) { return word == f.name; }) ||
           std::ranges::any_of(kWords, [&](const Operator &o) { return is(o.text); });
}

} // namespace topicscope::search
