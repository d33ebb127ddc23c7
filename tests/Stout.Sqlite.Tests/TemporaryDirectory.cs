namespace Stout.Sqlite.Tests;

/// <summary>A directory that is deleted at the end of its test.</summary>
internal sealed class TemporaryDirectory : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("stout-sqlite-").FullName;

    public string this[string file] => System.IO.Path.Combine(Path, file);

    /// <summary>Copies the directory as it is now, as a killed process would leave it.</summary>
    public TemporaryDirectory Copy()
    {
        var copy = new TemporaryDirectory();
        foreach (var file in Directory.GetFiles(Path).Where(file => !file.EndsWith(".lock", StringComparison.Ordinal)))
            File.Copy(file, copy[System.IO.Path.GetFileName(file)]);
        return copy;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
