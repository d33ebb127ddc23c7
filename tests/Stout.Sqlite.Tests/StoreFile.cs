using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests;

namespace Stout.Sqlite.Tests;

/// <summary>One store in a temporary directory. A test can query its file, and can wait for its writer.</summary>
internal sealed class StoreFile : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private TaskCompletionSource? _rest;
    private bool _committed;

    public StoreFile() => Options = new SqliteOptions { Path = _directory["docs.db"], OnStep = OnStep };

    public EarlyTime Time { get; } = new();

    public SqliteOptions Options { get; set; }

    public TemporaryDirectory Directory => _directory;

    public string Path
    {
        get => Options.Path;
        set => Options.Path = value;
    }

    /// <summary>The test's action at each step of the store.</summary>
    public Action<string>? AtStep { get; set; }

    /// <summary>Whether a writer without work takes this step, at any time beside the other writers.</summary>
    public static bool IsPause(string step) => step is "at rest" or "without a thread";

    public Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(new SqliteStorage(Options, Time));

    public async Task<StoreException> RefusalAsync(SqliteOptions? options = null)
    {
        await using var storage = new SqliteStorage(options ?? Options, Time);
        return await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync());
    }

    /// <summary>Waits until the writer has done all that it can do at this time.</summary>
    public async Task RestAsync(StoreClient store)
    {
        _committed = false;
        var rest = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Volatile.Write(ref _rest, rest);
        await store.PutAsync($"rest {Guid.NewGuid()}", Stamp.Absent);
        await rest.Task;
    }

    /// <summary>The integer that a query returns, by a connection that is not the store's.</summary>
    public long Ask(string sql)
    {
        using var connection = Connection.OpenForReading(Path, TimeSpan.Zero);
        return connection.Integer(sql);
    }

    public void Dispose() => _directory.Dispose();

    private void OnStep(string step)
    {
        AtStep?.Invoke(step);
        if (step == "before the commit")
            _committed = true;
        if (step == "at rest" && _committed)
            Volatile.Read(ref _rest)?.TrySetResult();
    }
}
