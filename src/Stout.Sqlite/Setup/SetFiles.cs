using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>The names of the files of one set.</summary>
internal sealed class SetFiles
{
    private readonly string _path;

    public SetFiles(string path, int partitions)
    {
        _path = Path.GetFullPath(path);
        Databases = partitions == 1 ? [_path] : [.. Enumerable.Range(0, partitions).Select(Numbered)];

        // Without a check for these files, a set with another number of partitions would go unnoticed, and a new set would be created beside it.
        Strangers = partitions == 1 ? [Numbered(0)] : [_path, Numbered(partitions)];
    }

    public string Directory => Path.GetDirectoryName(_path)!;

    /// <summary>The lock file of the set, which excludes a second process.</summary>
    public string Lock => _path + ".lock";

    /// <summary>The database of each partition, in order.</summary>
    public IReadOnlyList<string> Databases { get; }

    /// <summary>Files that exist only in a set of the same name with another number of partitions.</summary>
    private IReadOnlyList<string> Strangers { get; }

    /// <summary>Whether a file of the set exists.</summary>
    public bool Any => Databases.Any(File.Exists);

    /// <exception cref="StoreException">A set of the same name has another number of partitions.</exception>
    public void RefuseStrangers()
    {
        if (Strangers.Any(File.Exists))
        {
            throw new StoreException(
                StoreErrorKind.LayoutMismatch, $"A file of the same name belongs to a set with another number of partitions than {Databases.Count}.");
        }
    }

    /// <summary>A database's name in messages. It leaves out the path, since the text of a setting may be secret.</summary>
    public string TitleOf(int partition) =>
        Databases.Count == 1 ? "The database file" : FormattableString.Invariant($"The database file of partition {partition}");

    /// <summary>The name of a database file before it is complete.</summary>
    public static string Unfinished(string database) => database + ".new";

    private string Numbered(int partition) =>
        Path.ChangeExtension(_path, null) + FormattableString.Invariant($".{partition}") + Path.GetExtension(_path);
}
