using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>Sets up one file of a set.</summary>
/// <remarks>A file is created under another name, and renamed when it is complete, so the next start can continue after a crash.</remarks>
/// <param name="path">The full path of the file.</param>
/// <param name="name">The file's name in messages.</param>
/// <param name="options">The options.</param>
/// <param name="onCreated">Called with the path of a file that was created.</param>
internal sealed class FileSetup(string path, string name, SqliteOptions options, Action<string> onCreated) : IPartitionSetup
{
    public string Name => name;

    public ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken)
    {
        if (Directory.Exists(path))
            throw LayoutMismatch("is a directory");
        if (File.Exists(path))
        {
            LogCheck.Run(path);
            return new(IdentityTable.Read(path, name, options.BusyTimeout));
        }

        if (File.Exists(path + "-wal"))
            throw LayoutMismatch("is missing, and its log (-wal) is there");
        return new(default(PartitionIdentity));
    }

    public ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        if (!options.CreateMissing)
            throw LayoutMismatch("is missing, and the options say that it is not to be made");
        Create(identity);
        onCreated(path);
        return ValueTask.CompletedTask;
    }

    public ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        MarkReady();
        return ValueTask.CompletedTask;
    }

    private void Create(PartitionIdentity identity)
    {
        var unfinished = SetFiles.Unfinished(path);
        foreach (var leftover in new[] { "", "-journal", "-wal", "-shm" })
            File.Delete(unfinished + leftover);
        Step("before a file");

        // SQLite gives the log and its other files the database file's mode.
        OwnFile.Create(unfinished, options.FileMode).Dispose();
        using (var connection = Connection.OpenForWriting(unfinished, options.BusyTimeout))
        {
            connection.Execute($"PRAGMA page_size = {Layout.PageBytes}; PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
            Step("within a file");
            connection.Execute(Layout.Schema);
            IdentityTable.Write(connection, identity);
            connection.Execute("COMMIT");
            Step("before the log");
            connection.Execute("PRAGMA journal_mode = WAL");
            Step("before closing a file");
        }

        Step("before naming a file");
        File.Move(unfinished, path);
        Step("after naming a file");
    }

    private void MarkReady()
    {
        Step("before ready");
        using var connection = Connection.OpenForWriting(path, options.BusyTimeout);

        // The first sync of a new log also syncs the directory, and with it the file's new name.
        connection.Execute("PRAGMA synchronous = FULL; UPDATE identity SET ready = 1");
        Step("after ready");
    }

    private void Step(string name) => options.OnStep?.Invoke(name);

    private StoreException LayoutMismatch(string what) => new(StoreErrorKind.LayoutMismatch, $"{Name} {what}.");
}
