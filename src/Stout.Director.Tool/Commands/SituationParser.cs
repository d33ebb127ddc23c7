using System.Globalization;
using Stout.Director.Tool.Answers;

namespace Stout.Director.Tool.Commands;

/// <summary>Reads variations of a situation, such as <c>boot=5m</c> and <c>scale=2</c>.</summary>
internal static class SituationParser
{
    /// <summary>The situation with one change.</summary>
    /// <exception cref="OptionException">The text is no change.</exception>
    public static Situation Vary(Situation before, string text, IReadOnlyList<ServerKind> kinds)
    {
        if (text.Split('=', 2) is not [var name, { Length: > 0 } value])
            throw Wrong(text);
        var changed = name.Trim() switch
        {
            "slo" => before with { Objective = ServiceObjective.Parse(value), Words = $"If the objective were: {value}" },
            "boot" => before with { Boot = Durations.Parse(value, text), Words = $"If a server took {value} to boot" },
            "charge" => before with { Charge = Durations.Parse(value, text), Words = $"If servers were paid for each {value}" },
            "least" => before with { Least = Whole(value, text), Words = $"If at least {value} servers ran" },
            "most" => before with { Most = Whole(value, text), Words = $"If at most {value} servers ran" },
            "scale" => before with { Scale = Positive(value, text), Words = $"If the load were {value} times as high" },
            "price" => before with { Price = Number(value, text), Words = $"If a server cost {value} an hour" },
            "type" => before with { Type = TypeOf(value, kinds), Words = $"If the servers were {value}" },
            _ => throw Wrong(text),
        };
        return changed.Least <= changed.Most ? changed : throw new OptionException($"\"{text}\": at least {changed.Least} and at most {changed.Most} servers.");
    }

    private static int TypeOf(string name, IReadOnlyList<ServerKind> kinds)
    {
        for (var i = 0; i < kinds.Count; i++)
        {
            if (kinds[i].Name == name)
                return i;
        }

        throw new OptionException($"There is no server type {name}; the types are {string.Join(", ", kinds.Select(kind => kind.Name))}.");
    }

    private static int Whole(string value, string text) => int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number is >= 1 and <= 100_000
        ? number
        : throw new OptionException($"\"{text}\": a whole number from 1 to 100,000 is expected.");

    private static double Positive(string value, string text) => Number(value, text) is > 0 and var number ? number : throw Wrong(text);

    private static double Number(string value, string text) => double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number is >= 0 and < 1e9
        ? number
        : throw new OptionException($"\"{text}\": a number of at least 0 is expected.");

    private static OptionException Wrong(string text) => new($"\"{text}\" is no variation: slo=, boot=, charge=, least=, most=, scale=, price= or type= is expected, with a value.");
}
