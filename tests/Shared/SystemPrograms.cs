using Xunit;

namespace Stout.Tests.Shared;

/// <summary>Programs of the system that some tests need.</summary>
internal static class SystemPrograms
{
    /// <summary>Finds a program in the folders of PATH.</summary>
    /// <param name="names">The program's names.</param>
    /// <returns>The path of the first installed program; null without one.</returns>
    public static string? Find(params ReadOnlySpan<string> names)
    {
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
        foreach (var name in names)
        {
            if (Array.Find(folders, folder => File.Exists(Path.Combine(folder, name))) is { } folder)
                return Path.Combine(folder, name);
        }

        return null;
    }

    /// <summary>Skips the test if a program is not installed.</summary>
    public static void Require(string name) => Assert.SkipWhen(Find(name) is null, $"{name} is not installed.");
}
