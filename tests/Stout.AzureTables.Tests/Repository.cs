namespace Stout.AzureTables.Tests;

/// <summary>Finds files of the repository that the tests run in.</summary>
internal static class Repository
{
    public static string Path(string relative)
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(System.IO.Path.Combine(folder.FullName, "Stout.sln")))
            folder = folder.Parent ?? throw new InvalidOperationException("The tests don't run inside the repository.");
        return System.IO.Path.Combine(folder.FullName, relative);
    }
}
