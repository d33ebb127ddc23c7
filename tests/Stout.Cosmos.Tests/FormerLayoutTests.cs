using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Time.Testing;
using Stout.Cosmos.Tests.StandIn;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.Cosmos.Tests;

/// <summary>Stores of earlier layouts, kept as items in the folder Layouts.</summary>
public sealed class FormerLayoutTests
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public FormerLayoutTests() => _store = new StandInStore(_time);

    [Theory]
    [InlineData(2)]
    public async Task Store_of_an_earlier_layout_shows_its_contents_and_takes_writes_and_claims(int version)
    {
        foreach (var item in JsonNode.Parse(await File.ReadAllTextAsync(FileOf(version), TestContext.Current.CancellationToken))!.AsArray())
            _store.Execute((string)item!["pk"]!, [new BatchOperation(BatchVerb.Create, null, Encoding.UTF8.GetBytes(item.ToJsonString()), null)]);

        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));

        await LayoutContents.CheckAsync(store);
    }

    /// <summary>Makes the file of today's layout, for a person to keep before a change of it.</summary>
    [Fact(Explicit = true)]
    public async Task Make_the_file_of_todays_layout()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await LayoutContents.FillAsync(store);

        var items = new JsonArray([.. _store.Ids.Select(id => JsonNode.Parse(_store.Find("0", id)!.Sent))]);
        await File.WriteAllTextAsync(FileOf(Layout.Version), items.ToJsonString(Indented) + "\n", TestContext.Current.CancellationToken);
    }

    private static string FileOf(int version)
    {
        var directory = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(directory, "Stout.sln")))
            directory = Path.GetDirectoryName(directory)!;
        return Path.Combine(directory, "tests", "Stout.Cosmos.Tests", "Layouts", FormattableString.Invariant($"{version}.json"));
    }
}
