using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Azure.Data.Tables;
using Stout.Tests.Shared;

namespace Stout.AzureTables.Tests;

/// <summary>Stores of earlier layouts, kept as rows in the folder Layouts.</summary>
public sealed class FormerLayoutTests(Server server) : IDisposable
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    private readonly TestTable _table = new(server.Account);

    public void Dispose() => _table.Dispose();

    [Theory]
    [InlineData(2)]
    public async Task Store_of_an_earlier_layout_shows_its_contents_and_takes_writes_and_claims(int version)
    {
        await _table.Other.CreateAsync(TestContext.Current.CancellationToken);
        foreach (var row in JsonNode.Parse(await File.ReadAllTextAsync(FileOf(version), TestContext.Current.CancellationToken))!.AsArray())
            await _table.Other.AddEntityAsync(EntityOf(row!.AsObject()), TestContext.Current.CancellationToken);

        await using var store = await _table.OpenAsync();

        await LayoutContents.CheckAsync(store);
    }

    /// <summary>Makes the file of today's layout, for a person to keep before a change of it.</summary>
    [Fact(Explicit = true)]
    public async Task Make_the_file_of_todays_layout()
    {
        await using var store = await _table.OpenAsync();
        await LayoutContents.FillAsync(store);

        var rows = new JsonArray([.. _table.Rows().Select(JsonOf)]);
        await File.WriteAllTextAsync(FileOf(Layout.Version), rows.ToJsonString(Indented) + "\n", TestContext.Current.CancellationToken);
    }

    private static string FileOf(int version) => Repository.Path(FormattableString.Invariant($"tests/Stout.AzureTables.Tests/Layouts/{version}.json"));

    // A property's type is a part of the layout, so it is kept before the value.
    private static JsonNode JsonOf(TableEntity row) => new JsonObject(row
        .Where(static property => property.Key is not ("odata.etag" or "Timestamp"))
        .Select(static property => KeyValuePair.Create(property.Key, (JsonNode?)(property.Value switch
        {
            byte[] bytes => "binary:" + Convert.ToBase64String(bytes),
            DateTimeOffset time => "time:" + time.ToString("O", CultureInfo.InvariantCulture),
            int number => FormattableString.Invariant($"int:{number}"),
            long number => FormattableString.Invariant($"long:{number}"),
            bool flag => $"bool:{flag}",
            string text => "text:" + text,
            var other => throw new InvalidOperationException($"No layout has a {other.GetType()}."),
        }))));

    private static TableEntity EntityOf(JsonObject json)
    {
        var row = new TableEntity();
        foreach (var (name, value) in json)
        {
            var text = (string)value!;
            var rest = text[(text.IndexOf(':', StringComparison.Ordinal) + 1)..];
            row[name] = text[..text.IndexOf(':', StringComparison.Ordinal)] switch
            {
                "binary" => Convert.FromBase64String(rest),
                "time" => DateTimeOffset.Parse(rest, CultureInfo.InvariantCulture),
                "int" => int.Parse(rest, CultureInfo.InvariantCulture),
                "long" => long.Parse(rest, CultureInfo.InvariantCulture),
                "bool" => bool.Parse(rest),
                _ => rest,
            };
        }

        return row;
    }
}
