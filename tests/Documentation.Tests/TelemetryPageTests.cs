using System.Reflection;
using Stout.Diagnostics;

namespace Documentation.Tests;

/// <summary>docs/telemetry.md contains every name, with the number or unit in the code.</summary>
public sealed class TelemetryPageTests
{
    private static readonly string Page = Pages.Text("docs/telemetry.md");

    public static TheoryData<string> Instruments => [.. Constants(typeof(StoutTelemetry.Instruments)).Select(constant => (string)constant.GetRawConstantValue()!)];

    [Theory]
    [MemberData(nameof(Instruments))]
    public void An_instrument_has_a_line(string name) => Assert.Contains($"\n| `{name}` | ", Page, StringComparison.Ordinal);

    [Fact]
    public void Every_tag_is_named() =>
        Assert.All(Constants(typeof(StoutTelemetry.Tags)), tag => Assert.Contains($"`{tag.GetRawConstantValue()}`", Page, StringComparison.Ordinal));

    [Fact]
    public void Every_log_event_is_named_with_its_id() =>
        Assert.All(Constants(typeof(StoutLogEvents)), log => Assert.Contains($"{log.GetRawConstantValue()} `{log.Name}`", Page, StringComparison.Ordinal));

    private static IEnumerable<FieldInfo> Constants(Type type) => type.GetFields(BindingFlags.Public | BindingFlags.Static).Where(constant => constant.IsLiteral);
}
