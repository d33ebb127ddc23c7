using Stout.Pacing;
using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>Opens document stores that send every change at once.</summary>
internal static class Fixture
{
    public static DocumentStoreOptions Options { get; } = new()
    {
        Stout = new StoutOptions { Pacing = PacingLaws.NoBatching() },
    };

    public static CancellationToken Cancelled { get; } = new(canceled: true);

    public static ValueTask<DocumentStore> OpenAsync(IStorageProxy store, DocumentStoreOptions? options = null, TimeProvider? time = null) =>
        DocumentStore.OpenAsync(store, options ?? Options, time);

    /// <summary>The limits of the in-memory store, lowered.</summary>
    public static StorageLimits Limits(long valueBytes = 100, int parts = 10, long bytes = 200) => new()
    {
        MaxValueBytes = valueBytes,
        MaxChangeSetParts = parts,
        MaxChangeSetBytes = bytes,
        MaxBatchKeys = 100,
        MaxBatchBytes = 1000,
    };

    public static Task PutAsync(this DocumentCollection<string> collection, string id, string value) =>
        collection.UpdateAsync(id, _ => value).AsTask();

    public static Task PutAsync(this DocumentCollection<string> collection, string id, string part, string value) =>
        collection.ChangeAsync(id, editor => Set(editor, part, value)).AsTask();

    public static Task<Dictionary<string, string>> AllAsync(this DocumentCollection<string> collection, string id) =>
        collection.ReadAsync(id, view => view.Names.ToDictionary(name => name, name => view[name]!)).AsTask();

    private static bool Set(DocumentEditor<string> editor, string part, string value)
    {
        editor.Set(part, value);
        return true;
    }
}

/// <summary>Stops a function until the test lets it go on.</summary>
internal sealed class Barrier : IDisposable
{
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ManualResetEventSlim _open = new();

    public Task Reached => _reached.Task;

    public void Pass()
    {
        _reached.TrySetResult();
        _open.Wait();
    }

    public void Open() => _open.Set();

    /// <summary>Lets waiting functions go on. The event itself is not disposed: a function may still be leaving it.</summary>
    public void Dispose() => _open.Set();
}
