using Stout.Storage;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>A store works under every culture that its application may have set.</summary>
public sealed class CultureTests : IAsyncDisposable
{
    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public Task Store_opens_writes_claims_sweeps_and_reads(string culture) => Cultures.UnderAsync(culture, async () =>
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "one"), Part("part", "x")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("", "two")]);
        await using (var sweeper = _schema.NewSweeper())
        {
            while (await sweeper.StepAsync(TestContext.Current.CancellationToken))
            {
            }
        }

        Assert.Equal("=two", Show(await store.ClaimAsync("key")));
    });

    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public Task Connection_string_and_statements_are_the_same(string culture)
    {
        const string Text = "Server=tcp:db,1433;User Id=me;Password=p;Encrypt=Strict;Max Pool Size=20";
        var options = new SqlServerOptions { ConnectionStrings = [Text], LockTimeout = TimeSpan.FromSeconds(1.5) };
        var expected = Of(options);
        return Cultures.UnderAsync(culture, () =>
        {
            Assert.Equal(expected, Of(options));
            return Task.CompletedTask;
        });

        static string Of(SqlServerOptions options) => string.Join(
            '\n',
            Client.Database.Complete(options.ConnectionStrings[0], options.Calls.Timeout),
            new Writing.WriteStatement("stout", options.LockTimeout).For(true, true, true, true, Client.LockWait.Short),
            new Reading.ReadStatement("stout", options.LockTimeout).For(isLocked: true, claims: true, parts: true, hasLongKeys: true, Client.LockWait.Short));
    }
}
