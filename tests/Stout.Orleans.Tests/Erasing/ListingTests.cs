using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Tests.Erasing;

/// <summary>The list of the grains that have a state.</summary>
[Collection(nameof(Alone))]
public sealed class ListingTests : IDisposable
{
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;
    private static readonly GrainType Users = GrainType.Create("user/s");

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-orleans-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Grains_are_listed_once_beside_grains_that_are_made_and_deleted()
    {
        const int Passing = 10_000;
        await using var cluster = await TestCluster.StartAsync(1, silo => silo
            .AddStoutGrainStorage("plain", stout => stout.UseSqlite(Path.Combine(_folder.FullName, "grains.db")), static options => options.DeleteStateOnClear = true)
            .AddSharedStoutGrainStorage("other", "plain", static options => options.KeyPrefix = "other"));
        var (plain, other) = (cluster.StorageOf("plain"), cluster.StorageOf("other"));
        var stays = Enumerable.Range(0, 200).Select(static i => IdSpan.Create($"stays/{i}" + (i % 2 == 0 ? "" : new string('k', 300)))).ToHashSet();
        foreach (var grain in stays)
            await WriteAsync(plain, "name", GrainId.Create(Users, grain));
        // Neighbors of the listed keys: another state, another type, another provider.
        await WriteAsync(plain, "name2", GrainId.Create(Users, IdSpan.Create("neighbor")));
        await WriteAsync(plain, "name", GrainId.Create("user", "neighbor"));
        await WriteAsync(other, "name", GrainId.Create(Users, IdSpan.Create("neighbor")));

        var client = cluster.ClientOf("plain");
        var passing = Parallel.ForAsync(0, Passing, new ParallelOptions { MaxDegreeOfParallelism = 250, CancellationToken = Cancel }, async (i, cancel) =>
        {
            var grain = GrainId.Create(Users, IdSpan.Create($"passes/{i}" + (i % 2 == 0 ? "" : new string('k', 300))));
            var handle = await client.OpenAsAbsentAsync(StateKeys.Of(cluster.Options.ServiceId, "name", grain), cancel);
            await handle.WriteAsync(new KeyChange().Set(SubKey.Root, new byte[10]), cancel);
            await handle.WriteAsync(new KeyChange { ReplacesObject = true }, cancel);
            await handle.CloseWhenDrainedAsync(cancel);
        });
        do
        {
            List<GrainId> listed = [];
            await foreach (var grain in plain.ListGrainsAsync("name", Users, Cancel))
                listed.Add(grain);
            Assert.Equal(listed.Count, listed.Distinct().Count());
            Assert.All(listed, static grain => Assert.Equal(Users, grain.Type));
            Assert.Superset(stays, listed.Select(static grain => grain.Key).ToHashSet());
            Assert.All(listed, grain => Assert.True(stays.Contains(grain.Key) || grain.Key.ToString()!.StartsWith("passes/", StringComparison.Ordinal)));
        }
        while (!passing.IsCompleted);
        await passing;

        var rest = new HashSet<IdSpan>();
        await foreach (var grain in plain.ListGrainsAsync("name", Users, Cancel))
            Assert.True(rest.Add(grain.Key));
        Assert.Equal(stays, rest);
    }

    [Fact]
    public void Only_a_storage_of_this_package_lists_and_erases()
    {
        var storage = new Import.FormerTable();
        Assert.Throws<ArgumentException>(() => storage.ListGrainsAsync("name", Users, Cancel));
        Assert.Throws<ArgumentException>(() => { _ = storage.EraseAsync([], Cancel).GetAwaiter().GetResult(); });
    }

    private static async Task<GrainState<TestState>> WriteAsync(IGrainStorage storage, string name, GrainId grain)
    {
        var state = new GrainState<TestState>(new TestState());
        await storage.WriteStateAsync(name, grain, state);
        return state;
    }
}
