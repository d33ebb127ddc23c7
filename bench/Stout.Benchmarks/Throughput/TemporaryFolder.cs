namespace Stout.Benchmarks.Throughput;

/// <summary>A folder for the files of one run, in the working directory: the temporary directory may be no disk.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateDirectory(Path.Combine(Environment.CurrentDirectory, "bench-" + Guid.NewGuid().ToString("N")));

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public void Dispose() => _folder.Delete(recursive: true);
}
