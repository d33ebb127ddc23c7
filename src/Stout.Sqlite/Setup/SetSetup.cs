using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>Makes the files of a set if there are none, and refuses what is not one whole set.</summary>
/// <remarks>
/// A crash at any moment leaves what the next start can use. A file is made under another name, and gets its own name when it is
/// whole; it says that its set is not ready. When all files have their names, each is told that the set is ready. So as long
/// as no file is ready, nothing has been stored, and what is missing is made; once one is ready, none may be missing.
/// </remarks>
internal sealed class SetSetup(SqliteOptions options, SetFiles files)
{
    /// <exception cref="StoreException">What is there is not one whole set.</exception>
    public void Run()
    {
        foreach (var stranger in files.Strangers.Where(File.Exists))
            throw Foreign($"{Path.GetFileName(stranger)} belongs to a set with another number of partitions than {files.Databases.Count}");

        var found = files.Databases.Select(path => File.Exists(path) ? Identity.Read(path, options.BusyTimeout) : null).ToList();
        var setId = found.FirstOrDefault(identity => identity is not null)?.SetId ?? Guid.NewGuid();
        var begun = found.Any(identity => identity is { IsReady: true });
        for (var i = 0; i < found.Count; i++)
            Check(files.Databases[i], i, found[i], setId, begun);
        for (var i = 0; i < found.Count; i++)
        {
            if (found[i] is null)
                Create(files.Databases[i], new Identity(setId, i, files.Databases.Count, IsReady: false));
        }

        for (var i = 0; i < found.Count; i++)
        {
            if (found[i] is not { IsReady: true })
                SayReady(files.Databases[i]);
        }
    }

    private void Check(string path, int partition, Identity? found, Guid setId, bool begun)
    {
        var name = Path.GetFileName(path);
        if (Directory.Exists(path))
            throw Foreign($"{name} is a directory");
        if (found is null)
        {
            if (begun)
                throw Foreign($"{name} is missing: a file of a set of {files.Databases.Count}");
            if (File.Exists(path + "-wal"))
                throw Foreign($"{name} is missing, and its log {name}-wal is there");
            return;
        }

        if (found.Partitions != files.Databases.Count)
            throw Foreign($"{name} belongs to a set of {found.Partitions} partitions; the options say {files.Databases.Count}");
        if (found.Partition != partition)
            throw Foreign($"{name} is partition {found.Partition} of its set; its name says {partition}");
        if (found.SetId != setId)
            throw Foreign($"{name} belongs to another set than the files before it");
    }

    private void Create(string path, Identity identity)
    {
        var unfinished = SetFiles.Unfinished(path);
        foreach (var leftover in new[] { "", "-journal", "-wal", "-shm" })
            File.Delete(unfinished + leftover);
        Step("before a file");
        using (var connection = Connection.OpenOrCreate(unfinished))
        {
            connection.Execute($"PRAGMA page_size = {Layout.PageBytes}; PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
            Step("within a file");
            connection.Execute(Layout.Schema);
            identity.Write(connection);
            connection.Execute("COMMIT");
            Step("before the log");
            connection.Execute("PRAGMA journal_mode = WAL");
            Step("before closing a file");
        }

        Step("before naming a file");
        File.Move(unfinished, path);
        Step("after naming a file");
    }

    private void SayReady(string path)
    {
        Step("before ready");
        using var connection = Connection.OpenForWriting(path, options.BusyTimeout);

        // The first sync of a log that SQLite has just made syncs the directory too, and with it the file's new name.
        connection.Execute("PRAGMA synchronous = FULL; UPDATE identity SET ready = 1");
        Step("after ready");
    }

    private void Step(string name) => options.OnStep?.Invoke(name);

    private static StoreException Foreign(string what) => new(StoreErrorKind.Foreign, what + ".");
}
