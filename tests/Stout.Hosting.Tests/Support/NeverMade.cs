namespace Stout.Hosting.Tests.Support;

/// <summary>A database that no test makes. Each run has another name for it, so a run with a planted bug leaves no file that fails the next run.</summary>
internal static class NeverMade
{
    public static string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"stout-never-made-{Guid.NewGuid():N}.db");
}
