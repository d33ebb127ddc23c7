using System.Diagnostics.Metrics;
using System.Reflection;
using System.Text.RegularExpressions;
using Stout.Diagnostics;

namespace Stout.Hosting.Tests.Diagnostics;

/// <summary>Names and units follow OpenTelemetry's conventions (semantic conventions, "Naming" and "Metrics").</summary>
public sealed partial class NamingTests
{
    private static readonly string[] InstrumentNames = [.. Constants(typeof(StoutTelemetry.Instruments))];
    private static readonly string[] TagNames = [.. Constants(typeof(StoutTelemetry.Tags))];

    [Fact]
    public void Names_are_dotted_words_in_snake_case() =>
        Assert.All([.. InstrumentNames, .. TagNames, StoutTelemetry.WriteActivityName], name => Assert.Matches(Dotted(), name));

    [Fact]
    public void Own_names_stand_in_the_own_namespace()
    {
        string[] others = [StoutTelemetry.Tags.Operation, StoutTelemetry.Tags.BatchSize, StoutTelemetry.Tags.ErrorType];
        Assert.All(InstrumentNames.Concat(TagNames.Except(others)), name => Assert.StartsWith("stout.", name, StringComparison.Ordinal));
    }

    [Fact]
    public void Namespace_is_singular_and_no_other_name()
    {
        var all = InstrumentNames.Concat(TagNames).ToHashSet();
        Assert.All(all, name =>
        {
            var words = name.Split('.');
            for (var end = 1; end < words.Length; end++)
            {
                Assert.DoesNotContain(string.Join('.', words[..end]), all);
                Assert.DoesNotMatch(Plural(), words[end - 1]);
            }
        });
    }

    [Fact]
    public void Only_what_is_counted_has_a_plural_name_and_its_unit_is_singular()
    {
        foreach (var instrument in Published())
        {
            var (kind, unit) = (instrument.GetType().Name, instrument.Unit!);
            Assert.True(unit is "s" or "By" || Counted().IsMatch(unit), $"{instrument.Name}: {unit}");
            if (Plural().IsMatch(instrument.Name))
                Assert.True(Counted().IsMatch(unit) && !kind.Contains("UpDown", StringComparison.Ordinal) && !kind.Contains("Gauge", StringComparison.Ordinal), instrument.Name);
            Assert.DoesNotMatch("second|bytes|total", instrument.Name);
            Assert.False(string.IsNullOrEmpty(instrument.Description), instrument.Name);
        }
    }

    [Fact]
    public void Description_of_an_instrument_is_a_sentence_that_needs_no_other_page()
    {
        foreach (var instrument in Published())
        {
            Assert.EndsWith(".", instrument.Description!, StringComparison.Ordinal);
            Assert.True(instrument.Description!.Split(' ').Length >= 3, $"{instrument.Name}: {instrument.Description}");
            Assert.DoesNotMatch("(?i)mark|handle|undurable", instrument.Description);
        }
    }

    [Fact]
    public void Every_instrument_is_published() => Assert.Equal(InstrumentNames.Order(), Published().Select(instrument => instrument.Name).Order());

    [Fact]
    public void Each_reason_of_a_failure_has_a_name_of_its_own()
    {
        var names = Enum.GetValues<NotAppliedReason>().Select(reason => TelemetryNames.Of(new NotAppliedException(new PartitionKey("a"), reason))).ToList();
        Assert.All(names, name => Assert.Matches("^[a-z]+(_[a-z]+)*$", name));
        Assert.Equal(names.Distinct(), names);
        Assert.Contains("not_sent_in_time", names);
    }

    private static List<Instrument> Published()
    {
        using var factory = new Listening();
        var published = new List<Instrument>();
        using var listener = new MeterListener { InstrumentPublished = (instrument, _) => { if (instrument.Meter == factory.Create(null!)) published.Add(instrument); } };
        listener.Start();
        StoutMeter.Of(factory);
        return published;
    }

    private static IEnumerable<string> Constants(Type type) =>
        type.GetFields(BindingFlags.Public | BindingFlags.Static).Select(constant => (string)constant.GetRawConstantValue()!);

    [GeneratedRegex(@"^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)+$")]
    private static partial Regex Dotted();

    [GeneratedRegex(@"[^s]s$")]
    private static partial Regex Plural();

    [GeneratedRegex(@"^\{[a-z_]*[^s}]\}$")]
    private static partial Regex Counted();
}
