using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Duplicates;

/// <summary>
/// Only one process at a time uses a SQLite file, so both owners are in this process. They are an activation, and code that claims the key through the
/// provider's client. Without claims both owners share one handle, so this class tests claims only.
/// </summary>
public sealed class SqliteDuplicates : IDisposable
{
    private const int Count = 200;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-orleans-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Writes_of_the_older_owner_are_refused_once_the_newer_has_read(bool absent)
    {
        await using var cluster = await TestCluster.StartAsync(
            1, silo => silo.AddStoutGrainStorageAsDefault(stout => stout.UseSqlite(Path.Combine(_folder.FullName, "grains.db"))));
        var (refused, invisible) = (0, 0);
        await Parallel.ForAsync(0, Count, new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = TestContext.Current.CancellationToken }, async (i, cancel) =>
        {
            var grain = cluster.Client.GetGrain<ICounterGrain>($"{i}");
            var before = absent ? await grain.ReadAsync() : await grain.AddAsync(1);
            await cluster.ClientOf("Default").ClaimAsync(StateKeys.Of(cluster.Options.ServiceId, "counter", grain.GetGrainId()), cancellationToken: cancel);
            try
            {
                if (await grain.AddAsync(1) != before)
                    Interlocked.Increment(ref invisible);
            }
            catch (InconsistentStateException)
            {
                Interlocked.Increment(ref refused);
            }

            // The grain's next activation reads the stored number.
            Assert.Equal(before, await grain.ReadAsync());
        });

        Assert.Equal((Count, 0), (refused, invisible));
    }
}
