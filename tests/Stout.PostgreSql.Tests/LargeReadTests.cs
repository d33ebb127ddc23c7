using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Answers are bounded by bytes: large objects are read in pages.</summary>
public sealed class LargeReadTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private const int MiB = 1 << 20;
    private readonly TestSchema _schema = new(database);

    [Fact]
    public async Task Object_larger_than_an_answer_is_read_whole_beside_a_small_one()
    {
        await using var store = await _schema.OpenAsync();
        var values = Enumerable.Range(0, 7).Select(i => Enumerable.Repeat((byte)i, 5 * MiB).ToArray()).ToList();
        var stamp = await store.PutAsync("large", Stamp.Absent, parts: [Part("", values[6]), Part("0", values[0]), Part("1", values[1])]);
        stamp = await store.PutAsync("large", stamp, parts: [Part("2", values[2]), Part("3", values[3])]);
        stamp = await store.PutAsync("large", stamp, parts: [Part("4", values[4]), Part("5", values[5]), Part("none", [])]);
        await store.PutAsync("small", Stamp.Absent, parts: [Part("", "x")]);

        foreach (var claims in (bool[])[false, true])
        {
            var reads = claims ? await store.ClaimAsync(["large", "small"]) : await store.ReadAsync(["large", "small"]);

            Assert.Equal("=x", Show(reads[1]));
            Assert.Equal((ReadOutcomeKind.Read, 8), (reads[0].Kind, reads[0].Parts.Count));
            foreach (var part in reads[0].Parts.Where(part => part.SubKey.Text != "none"))
                Assert.True(part.Value.Span.SequenceEqual(values[part.SubKey.IsRoot ? 6 : part.SubKey.Text[0] - '0']));
        }

        Assert.Equal(stamp, (await store.ReadAsync("large")).Version);
    }

    [Fact]
    public async Task Object_that_is_larger_than_the_options_allow_is_not_read()
    {
        await using (var store = await _schema.OpenAsync())
        {
            var stamp = await store.PutAsync("docs/large", Stamp.Absent, parts: [Part("0", new byte[12 * MiB]), Part("1", new byte[12 * MiB])]);
            await store.PutAsync("docs/large", stamp, parts: [Part("2", new byte[12 * MiB])]);
        }

        await using var documents = await Documents.DocumentStore.OpenAsync(
            new PostgreSqlStorage(_schema.Options),
            new Documents.DocumentStoreOptions { Stout = new StoutOptions { MaxObjectBytes = 20 * MiB } },
            cancellationToken: TestContext.Current.CancellationToken);
        var error = await Assert.ThrowsAsync<ObjectTooLargeException>(
            () => documents.GetCollection<byte[]>("docs").GetAsync("large", TestContext.Current.CancellationToken).AsTask());

        Assert.Equal((36 * MiB, ObjectLimit.Bytes), (error.Size, error.Kind));
    }

    [Fact]
    public async Task Objects_that_are_too_large_together_are_read_by_several_requests()
    {
        await using var store = await _schema.OpenAsync();
        List<string> open = [.. Enumerable.Range(0, 6).Select(i => $"key {i}")];
        foreach (var key in open)
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", new byte[15 * MiB])]);

        var requests = 0;
        for (; open.Count > 0; requests++)
        {
            var reads = await store.ReadAsync(open);
            Assert.All(reads, read => Assert.True(read.Kind is ReadOutcomeKind.Read or ReadOutcomeKind.LimitExceeded));
            Assert.InRange(reads.Sum(read => read.Parts.Sum(part => part.Value.Length)), 1, 80 * MiB);
            open = [.. open.Where((_, i) => reads[i].Kind != ReadOutcomeKind.Read)];
        }

        Assert.Equal(2, requests);
    }

    [Fact]
    public async Task Value_that_the_server_cannot_send_within_its_limits_stops_its_key_alone()
    {
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("large", Stamp.Absent, parts: [Part("0", new byte[12 * MiB]), Part("1", new byte[12 * MiB])]);
        await store.PutAsync("small", Stamp.Absent, parts: [Part("", "x")]);

        // The planted error hits only the statement that reads pages, since no other one contains "subkey IS NULL".
        await _schema.ExecuteAsync(
            """
            CREATE FUNCTION @.planted() RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '53200'; END $$;
            ALTER TABLE @.part RENAME TO part_rows;
            CREATE VIEW @.part AS SELECT key, generation, subkey,
                CASE WHEN current_query() LIKE '%subkey IS NULL%' THEN @.planted() ELSE value END AS value FROM @.part_rows
            """);

        var reads = await store.ReadAsync(["large", "small"]);

        Assert.Equal((ReadOutcomeKind.LimitExceeded, ReadOutcomeKind.Read), (reads[0].Kind, reads[1].Kind));
        Assert.Equal("=x", Show(reads[1]));
    }

    [Fact]
    public async Task Object_that_changes_while_it_is_read_is_read_as_of_one_stamp()
    {
        await using var store = await _schema.OpenAsync();
        await using var writer = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", Filled(0)), Part("b", Filled(0)), Part("c", Filled(0))]);
        var isOver = false;
        var writing = Task.Run(async () =>
        {
            for (byte i = 1; !Volatile.Read(ref isOver); i++)
                stamp = await writer.PutAsync("key", stamp, parts: [Part("a", Filled(i)), Part("b", Filled(i)), Part("c", Filled(i))]);
        }, TestContext.Current.CancellationToken);
        try
        {
            for (var round = 0; round < 5; round++)
            {
                var read = (await store.ReadAsync(["key"]))[0];
                if (read.Kind == ReadOutcomeKind.Read)
                    Assert.Single(read.Parts.Select(part => part.Value.Span[0]).Distinct());
                else
                    Assert.Equal(ReadOutcomeKind.Busy, read.Kind);
            }
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            await writing;
        }

        static byte[] Filled(byte value) => [.. Enumerable.Repeat(value, 6 * MiB)];
    }
}
