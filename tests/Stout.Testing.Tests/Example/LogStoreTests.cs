using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing.Tests.Example;

/// <summary>Tests beyond the suite: a process that dies in the middle of a write, and a second process.</summary>
public sealed class LogStoreTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("stout-log-").FullName;

    private string LogPath => Path.Combine(_directory, "objects.log");

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public async Task Log_that_was_cut_off_anywhere_in_its_last_write_keeps_the_ones_before_and_goes_on()
    {
        long before;
        Stamp stamp;
        await using (var store = await StoreClient.OpenAsync(new LogStore(LogPath)))
        {
            stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "acknowledged")]);
            before = new FileInfo(LogPath).Length;
            await store.PutAsync("key", stamp, parts: [Part("", "never acknowledged")]);
        }

        var whole = await File.ReadAllBytesAsync(LogPath, TestContext.Current.CancellationToken);
        for (var length = (int)before; length < whole.Length; length++)
        {
            await File.WriteAllBytesAsync(LogPath, whole[..length], TestContext.Current.CancellationToken);
            await using (var store = await StoreClient.OpenAsync(new LogStore(LogPath)))
            {
                Assert.Equal("=acknowledged", Show(await store.ReadAsync("key")));
                await store.PutAsync("key", stamp, parts: [Part("", "later")]);
            }

            await using var again = await StoreClient.OpenAsync(new LogStore(LogPath));
            Assert.Equal("=later", Show(await again.ReadAsync("key")));
        }
    }

    [Fact]
    public async Task Log_that_another_has_open_is_locked()
    {
        await using var store = await StoreClient.OpenAsync(new LogStore(LogPath));
        await using var second = new LogStore(LogPath);

        var refusal = await Assert.ThrowsAsync<StoreException>(async () => await second.OpenAsync(TestContext.Current.CancellationToken));

        Assert.Equal(StoreErrorKind.Locked, refusal.Kind);
    }
}
