using SectionedDocuments.Tests.Processes;
using Stout;
using Stout.PostgreSql;

namespace Samples.Tests.Orleans;

/// <summary>Two silos on PostgreSQL that confirm reads, and clients that claim the silos' documents.</summary>
[Collection(nameof(Alone))]
public sealed class FencedDocumentTests(SharedDatabase database) : IClassFixture<SharedDatabase>, IAsyncLifetime
{
    private SiloCluster? _cluster;

    public async ValueTask InitializeAsync()
    {
        Assert.SkipWhen(database.WhyNot is not null, database.WhyNot ?? "");
        _cluster = await SiloCluster.StartAsync(2, database.ConnectionString, "--OrleansDocuments:ConfirmReads=true", "--OrleansDocuments:MissedProbes=10");
    }

    public ValueTask DisposeAsync()
    {
        _cluster?.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task A_confirmed_read_leaves_a_fenced_activation_and_the_fencing_is_counted()
    {
        var silo = _cluster!.Silos[0];
        await silo.WriteAsync("fenced", "1", "text");
        var before = await Place.OfAsync(silo, "fenced");
        Assert.Equal(0, before.Fencings);

        await ClaimElsewhereAsync("fenced");
        Assert.Equal("text", await silo.ReadAsync("fenced", "1"));
        var after = await Place.OfAsync(silo, "fenced");
        Assert.Equal(before.Epoch + 2, after.Epoch);
        // When the earlier activation ends, it reports its fencing to the next activation.
        while (after.Fencings == 0)
            after = await Place.OfAsync(silo, "fenced");
        Assert.Equal(1, after.Fencings);

        await ClaimElsewhereAsync("fenced");
        await silo.WriteAsync("fenced", "1", "other text");
        Assert.Equal("other text", await _cluster.Silos[1].ReadAsync("fenced", "1"));
    }

    [Fact]
    public async Task Authors_write_by_one_silo_and_find_their_documents_by_the_other()
    {
        Assert.Contains("2 of 2 documents match.", await OrleansAuthors.RunAsync(_cluster!.Silos[0], "--keystrokes", "100"), StringComparison.Ordinal);
        Assert.Contains("2 of 2 documents match.", await OrleansAuthors.RunAsync(_cluster.Silos[1], "--keystrokes", "100", "--verify"), StringComparison.Ordinal);
    }

    /// <summary>Claims a document as a second activation does.</summary>
    private async Task ClaimElsewhereAsync(string document)
    {
        await using var other = await StoutClient.OpenAsync(
            new PostgreSqlStorage(database.ConnectionString), new Claimant(), cancellationToken: TestContext.Current.CancellationToken);
        await other.ClaimAsync(new PartitionKey("documents/sections/document/" + document), cancellationToken: TestContext.Current.CancellationToken);
    }

    private sealed class Claimant : IStoutApplication
    {
        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
