namespace Stout.Benchmarks;

/// <summary>A folder for the files of one run, by default in the working directory: the temporary directory may be in memory.</summary>
internal sealed class TemporaryFolder(string place = ".") : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateDirectory(Path.Combine(Path.GetFullPath(place), "bench-" + Guid.NewGuid().ToString("N")));

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public void Dispose() => _folder.Delete(recursive: true);
}
