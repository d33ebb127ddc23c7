namespace Stout.Experiments.Tests.Output;

/// <summary>The committed files with which results are compared.</summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    public static FileInfo EvaluationPage { get; } = new(Path.Combine(Root, "docs", "evaluation.md"));

    // Line ends are replaced, since a checkout may have the system's.
    public static async Task<string> ReadAsync(string path) => (await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken)).ReplaceLineEndings("\n");

    private static string Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Stout.sln")))
                return folder.FullName;
        }

        throw new DirectoryNotFoundException("The tests are not inside the repository.");
    }
}
