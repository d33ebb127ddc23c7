using Stout.Lanes.Core;

namespace Stout.Tests.Directions;

/// <summary>
/// The parts that each part of the assembly Stout may use. A part is a namespace. The root namespace is two parts: the client, and the words that all parts share.
/// </summary>
public sealed class DirectionsTests : IDisposable
{
    private const string Root = "Stout.";

    // The types of the root namespace that use the lanes. The other types of that namespace are the words that all parts share.
    private static readonly string[] Client = ["StoutClient", "KeyHandle"];

    // The public types of the paper's interface have the root namespace, so that their names stay.
    private static readonly string[] Paper = ["IStoutApplication", "FilledKey", "SerializationBatch", "SerializationKey", "MessageCallback`1", "MessageRelease"];

    // Three groups of parts use each other. KeyHandle holds the lane's state of a key, and posts the paper's marks. Telemetry reads the lane's requests. The words name
    // types of the store and of the laws.
    private static readonly Dictionary<string, string[]> MayUse = new()
    {
        ["Extensions"] = ["Hosting", "Documents", "Client", "Paper", "Storage", "Diagnostics", "Words"],
        ["Hosting"] = ["Documents", "Client", "Paper", "Lanes.Core", "Pacing", "Storage", "Diagnostics", "Words"],
        ["Documents"] = ["Client", "Paper", "Lanes.Core", "Lanes.Shell", "Storage", "Diagnostics", "Pacing", "Words"],
        ["Client"] = ["Paper", "Lanes.Core", "Lanes.Shell", "Pacing", "Storage", "Diagnostics", "Words"],
        ["Paper"] = ["Client", "Lanes.Core", "Lanes.Shell", "Storage", "Diagnostics", "Words"],
        ["Lanes.Shell"] = ["Client", "Paper", "Lanes.Core", "Pacing", "Storage", "Diagnostics", "Words"],
        ["Lanes.Core"] = ["Client", "Pacing", "Storage", "Diagnostics", "Words"],
        ["Diagnostics"] = ["Lanes.Core", "Lanes.Shell", "Pacing", "Storage", "Words"],
        ["Pacing"] = ["Storage", "Words"],
        ["Storage"] = ["Words"],
        ["Words"] = ["Client", "Lanes.Core", "Lanes.Shell", "Pacing", "Storage", "Diagnostics"],
    };

    private readonly CompiledTypes _types = new(typeof(LaneCore).Assembly);

    [Fact]
    public void Each_part_uses_only_the_parts_below_it()
    {
        var wrong = from edge in Edges() where !MayUse.GetValueOrDefault(edge.From, []).Contains(edge.To) orderby edge select $"{edge.From} → {edge.To}: {edge.By}";
        Assert.Empty(wrong);
    }

    public void Dispose() => _types.Dispose();

    private IEnumerable<(string From, string To, string By)> Edges() =>
        from type in _types.Uses
        where PartOf(type.Key) is not null
        from used in type.Value
        let part = PartOf(used)
        where part is not null && part != PartOf(type.Key)
        select (PartOf(type.Key)!, part, $"{type.Key} uses {used}");

    private string? PartOf(string type)
    {
        if (!_types.Uses.ContainsKey(type) || !type.StartsWith(Root, StringComparison.Ordinal))
            return null;
        var names = type[Root.Length..].Split('.');
        if (names[0] == "Lanes")
            return "Lanes." + names[1];
        if (names.Length > 1)
            return names[0];
        return Client.Contains(names[0]) ? "Client" : Paper.Contains(names[0]) ? "Paper" : "Words";
    }
}
