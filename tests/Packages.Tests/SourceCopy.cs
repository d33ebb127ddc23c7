namespace Packages.Tests;

/// <summary>The packages' sources, copied outside the repository, without leftovers of other builds.</summary>
internal sealed class SourceCopy
{
    /// <summary>The commit of the copy's pretended clone.</summary>
    public const string Commit = "0123456789abcdef0123456789abcdef01234567";

    private static readonly string[] Folders = ["src", "assets", "deploy"];
    private static readonly string[] Files = ["Directory.Build.props", "Directory.Packages.props", ".editorconfig", "global.json"];

    public SourceCopy(string folder)
    {
        Folder = folder;
        foreach (var source in Folders)
            Copy(Path.Combine(Repository, source), Path.Combine(folder, source));
        foreach (var file in Files)
            File.Copy(Path.Combine(Repository, file), Path.Combine(folder, file));
        PretendToBeAClone();
    }

    /// <summary>The repository in which the tests were built.</summary>
    public static string Repository { get; } = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "..", ".."));

    /// <summary>The projects of which packages are made.</summary>
    public static IReadOnlyList<string> Products { get; } =
        [.. Directory.EnumerateFiles(Path.Combine(Repository, "src"), "*.csproj", SearchOption.AllDirectories).Select(path => Path.GetFileNameWithoutExtension(path))];

    /// <summary>The products that are programs.</summary>
    public static IReadOnlyList<string> Tools { get; } = ["Stout.Director.Tool"];

    /// <summary>The products that are libraries.</summary>
    public static IEnumerable<string> Libraries => Products.Except(Tools);

    public string Folder { get; }

    public string Packages => Path.Combine(Folder, "artifacts", "packages");

    // Creates the files of a clone that Source Link reads, so that the tests do not need git.
    private void PretendToBeAClone()
    {
        var git = Directory.CreateDirectory(Path.Combine(Folder, ".git"));
        git.CreateSubdirectory("objects");
        git.CreateSubdirectory("refs");
        File.WriteAllText(Path.Combine(git.FullName, "HEAD"), Commit + "\n");
        File.WriteAllText(Path.Combine(git.FullName, "config"), "[core]\n\trepositoryformatversion = 0\n");
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.EnumerateFiles(from))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        foreach (var folder in Directory.EnumerateDirectories(from).Where(folder => Path.GetFileName(folder) is not ("bin" or "obj")))
            Copy(folder, Path.Combine(to, Path.GetFileName(folder)));
    }
}
