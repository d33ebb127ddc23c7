using System.Text;
using static Stout.Testing.StoreClient;

using Stout.Storage;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>A read of old parts under a new stamp would let the next write overwrite parts that its writer has not seen.</summary>
    [Fact]
    public async Task Read_beside_writes_shows_header_and_parts_as_of_one_stamp()
    {
        const int Writes = 300;
        await using var store = await OpenAsync();
        string[] subKeys = ["", "a", "b", "c"];
        var written = new Dictionary<Stamp, string>();
        var seen = new HashSet<(Stamp Stamp, string Parts)>();
        var readsDone = 0;
        var writing = Task.Run(WriteAllAsync, TestContext.Current.CancellationToken);
        do
        {
            var read = await store.ReadAsync("key");
            seen.Add((read.Version, Show(read)));
            Interlocked.Increment(ref readsDone);
        }
        while (!writing.IsCompleted);
        await writing;

        foreach (var (stamp, parts) in seen.Where(read => !read.Stamp.IsAbsent))
            Assert.Equal(written[stamp], parts);

        async Task WriteAllAsync()
        {
            var stamp = Stamp.Absent;

            // Writes until 50 reads are done, so that a fast store does not finish the writes before the reads have begun.
            for (var i = 0; i < Writes || (Volatile.Read(ref readsDone) < 50 && i < 100 * Writes); i++)
            {
                await Task.Yield();

                // Long and short values alternate, so that a store that keeps the two in different places moves the value.
                var value = Encoding.UTF8.GetBytes(new string((char)('a' + (i % 26)), i % 3 == 0 ? 5_000 : 10));
                var kind = (i % 7) switch { 3 => KeyWriteKind.Delete, 5 => KeyWriteKind.Replace, _ => KeyWriteKind.Merge };
                PartWrite[] parts = kind == KeyWriteKind.Delete ? [] : [.. subKeys.Select(subKey => Part(subKey, value))];
                stamp = await store.PutAsync("key", stamp, kind, parts: parts);
                written[stamp] = kind == KeyWriteKind.Delete
                    ? "(none)"
                    : string.Join(' ', subKeys.Select(subKey => $"{subKey}={Encoding.UTF8.GetString(value)}"));
            }
        }
    }

    /// <summary>Concurrent calls get their own answers.</summary>
    [Fact]
    public async Task Reads_and_writes_of_many_callers_all_end_with_their_own_answers()
    {
        await using var store = await OpenAsync();

        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => Task.Run(async () =>
        {
            var stamp = await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("", $"{i}")]);
            Assert.Equal($"={i}", Show(await store.ReadAsync($"key {i}")));
            await store.PutAsync($"key {i}", stamp, parts: [Part("a", $"{i}")]);
        })));

        for (var i = 0; i < 200; i++)
            Assert.Equal($"={i} a={i}", Show(await store.ReadAsync($"key {i}")));
    }
}
