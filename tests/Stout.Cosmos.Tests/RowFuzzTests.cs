using System.Text.Json.Nodes;
using Microsoft.Extensions.Time.Testing;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>Items with random properties fail for their own keys only.</summary>
public sealed class RowFuzzTests
{
    private const int Rows = 1_000;
    private const int RowsPerRound = 50;

    private static readonly string[] Properties = ["s", "s", "g", "r", "n", "x", "v"];

    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public RowFuzzTests() => _store = new StandInStore(_time);

    [Theory]
    [InlineData("s", "ffffffffffffffff000000000000000000000000000000000000000000000001")]
    [InlineData("s", "0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("s", null)]
    [InlineData("g", "0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("g", "FF")]
    [InlineData("g", null)]
    [InlineData("r", "2")]
    [InlineData("v", null)]
    [InlineData("v", "%%%")]
    public async Task Damaged_header_is_corrupt_read_claimed_and_written(string property, string? value)
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "own")]);
        _store.Rewrite("key", json => json[property] = value);

        foreach (var claims in store.Proxy.Capabilities.Claims ? (bool[])[false, true] : [false])
            Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>((claims ? await store.ClaimAsync("key") : await store.ReadAsync("key")).Error).Kind);

        var write = await store.WriteAsync(store.NewWrite("key", stamp), Part("", "new"));
        Assert.Equal((WriteOutcomeKind.Refused, StoreErrorKind.Corrupt), (write.Kind, Assert.IsType<StoreException>(write.Error).Kind));
    }

    [Fact]
    public async Task Part_without_its_value_is_not_left_out()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "own"), Part("part", "x")]);
        _store.Rewrite("key", json =>
        {
            if (((string)json["id"]!).EndsWith("." + System.Buffers.Text.Base64Url.EncodeToString("part"u8), StringComparison.Ordinal))
                json.Remove("v");
        });

        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>((await store.ReadAsync("key")).Error).Kind);
    }

    [Theory]
    [InlineData(48)]
    public async Task Random_properties_are_settled_key_by_key(int seed)
    {
        var random = new Random(seed);
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var fuzzed = new FuzzedRows(store, random, mostKeys: 20);
        for (var round = 0; round < Rows / RowsPerRound; round++)
        {
            await fuzzed.RunAsync(RowsPerRound, keys =>
            {
                foreach (var key in keys)
                    _store.Rewrite(key, json => Damage(json, random));
                return Task.CompletedTask;
            });
        }

        Assert.InRange(fuzzed.Reads.Corrupt, Rows / 4, 2 * Rows);
        Assert.InRange(fuzzed.Reads.Answered, Rows / 20, 2 * Rows);
    }

    private static void Damage(JsonObject json, Random random)
    {
        for (var i = random.Next(3); i > 0; i--)
        {
            var property = Properties[random.Next(Properties.Length)];
            if (random.Next(6) == 0)
                json.Remove(property);
            else
                json[property] = Value(random);
        }
    }

    private static JsonNode? Value(Random random)
    {
        var bytes = new byte[random.Next(3) switch { 0 => 32, 1 => 0, _ => random.Next(100) }];
        random.NextBytes(bytes);
        return random.Next(10) switch
        {
            0 => null,
            1 => random.Next(2) == 0,
            2 => random.Next(-2, 5),
            3 => random.NextDouble(),
            4 => new JsonArray(1, "two"),
            5 => new JsonObject { ["s"] = "nested" },
            6 => Convert.ToBase64String(bytes),
            7 => Convert.ToHexString(bytes),
            _ => Convert.ToHexStringLower(bytes),
        };
    }
}
