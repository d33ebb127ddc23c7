using System.Globalization;
using System.Text;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

/// <summary>
/// Gives each key two owners at once, as after a split of the directory that assigns owners. The older owner goes on writing while the newer owner reads
/// the key, and afterwards.
/// </summary>
/// <param name="older">The client of the older owner.</param>
/// <param name="newer">The client of the newer owner.</param>
/// <param name="claims">Whether both owners claim the key. If not, only stamps protect the key.</param>
internal sealed class ForcedDuplicates(StoreClient older, StoreClient newer, bool claims)
{
    private const int AtOnce = 8;
    private const int RacingWrites = 5;

    private int _refused;
    private int _invisible;

    /// <summary>The number of keys at which the older owner's write was refused after the newer owner had read.</summary>
    public int Refused => _refused;

    /// <summary>The number of keys at which the store acknowledged a write of the older owner that the newer owner has not read.</summary>
    public int Invisible => _invisible;

    /// <summary>Runs two owners of each key.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="writesFirst">Whether the older owner writes before the newer one reads, and during that read. If not, the older
    /// owner's first write comes after the read.</param>
    public Task RunAsync(IEnumerable<string> keys, bool writesFirst) => RunAsync(keys, async key =>
    {
        var owner = new Owner(older, key, await OpenAsync(older, key));
        if (writesFirst)
            await owner.WriteAsync();
        return (owner, writesFirst ? RacingWrites : 0);
    });

    /// <summary>Runs a newer owner of each key beside an older owner that has opened the key before.</summary>
    /// <param name="opened">The keys, each with the header that its older owner has read.</param>
    public Task RunAsync(IReadOnlyDictionary<string, KeyHeader> opened) =>
        RunAsync(opened.Keys, key => Task.FromResult((new Owner(older, key, opened[key]), 0)));

    /// <summary>Opens a key, with a claim if this run has claims.</summary>
    public async Task<KeyHeader> OpenAsync(StoreClient client, string key) => (await ReadAsync(client, key)).Header;

    private Task RunAsync(IEnumerable<string> keys, Func<string, Task<(Owner Owner, int Racing)>> open) => Parallel.ForEachAsync(
        keys,
        new ParallelOptions { MaxDegreeOfParallelism = AtOnce, CancellationToken = TestContext.Current.CancellationToken },
        async (key, token) =>
        {
            var (owner, racing) = await open(key);
            var writing = Task.Run(() => owner.WriteAsync(racing), token);
            var seen = NumberIn(await ReadAsync(newer, key));
            await writing;
            if (!await owner.WriteAsync())
                Interlocked.Increment(ref _refused);
            if (owner.Acknowledged > seen)
                Interlocked.Increment(ref _invisible);
        });

    private async Task<ReadOutcome> ReadAsync(StoreClient client, string key)
    {
        var read = claims ? await client.ClaimAsync(key) : await client.ReadAsync(key);
        Assert.True(read.Kind == ReadOutcomeKind.Read, $"{key}: {read.Kind}, {read.Error}");
        return read;
    }

    private static int NumberIn(ReadOutcome read) =>
        read.Exists ? int.Parse(Encoding.UTF8.GetString(read.Parts[0].Value.Span), CultureInfo.InvariantCulture) : 0;

    /// <summary>An owner, which writes the numbers 1, 2, … one after the other.</summary>
    private sealed class Owner(StoreClient client, string key, KeyHeader header)
    {
        private Stamp _version = header.Version;

        /// <summary>The last number that the store has acknowledged.</summary>
        public int Acknowledged { get; private set; }

        /// <summary>Writes the next number.</summary>
        /// <returns>Whether the store acknowledged the write.</returns>
        public async Task<bool> WriteAsync()
        {
            var write = client.NewWrite(key, _version, KeyWriteKind.Replace, header.Owner);
            var outcome = await client.WriteAsync(write, Part("", FormattableString.Invariant($"{Acknowledged + 1}")));
            if (outcome.Kind != WriteOutcomeKind.Committed)
            {
                Assert.True(outcome.Kind is WriteOutcomeKind.Fenced or WriteOutcomeKind.Conflict, $"{key}: {outcome.Kind}, {outcome.Error}");
                return false;
            }

            (_version, Acknowledged) = (write.Next, Acknowledged + 1);
            return true;
        }

        /// <summary>Writes <paramref name="count"/> numbers, or fewer if one is refused.</summary>
        public async Task WriteAsync(int count)
        {
            for (var i = 0; i < count && await WriteAsync(); i++)
            {
            }
        }
    }
}
