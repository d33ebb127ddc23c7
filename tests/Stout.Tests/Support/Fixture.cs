using Stout.Pacing;
using Stout.Storage;

namespace Stout.Tests.Support;

/// <summary>A client on a store, with a small service. No batching: dirty keys leave at once.</summary>
internal sealed class Fixture : IAsyncDisposable
{
    private Fixture(MemoryApplication application, StoutClient client)
    {
        Application = application;
        Client = client;
    }

    public MemoryApplication Application { get; }

    public StoutClient Client { get; }

    public static async Task<Fixture> OpenAsync(IStorageProxy store, StoutOptions? options = null, TimeProvider? time = null)
    {
        var application = new MemoryApplication();
        options ??= new StoutOptions { Pacing = PacingLaws.NoBatching() };
        return new Fixture(application, await StoutClient.OpenAsync(store, application, options, time));
    }

    public Task<KeyHandle> FillAsync(string key) => Client.FillAsync(new PartitionKey(key)).AsTask();

    public Task ChangeAsync(KeyHandle handle, string text)
    {
        Application.Change(handle, text);
        return handle.WhenSafeAsync().AsTask();
    }

    public ValueTask DisposeAsync() => Client.DisposeAsync();
}
