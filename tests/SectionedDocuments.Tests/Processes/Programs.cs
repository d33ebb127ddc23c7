namespace SectionedDocuments.Tests.Processes;

/// <summary>The paths of the programs under test, which were built for the same configuration as the tests.</summary>
internal static class Programs
{
    private static readonly string Output = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);

    public static string Repository { get; } = Path.GetFullPath(Path.Combine(Output, "..", "..", "..", "..", ".."));

    public static string Service { get; } = Find("samples", "SectionedDocuments");

    public static string ServiceUnderTest { get; } = Find("tests", "ServiceUnderTest");

    public static string Authors { get; } = Find("samples", "Authors");

    public static string ShoppingCart { get; } = Find("samples", "ShoppingCart");

    public static string GameState { get; } = Find("samples", "GameState");

    public static string OrleansDocuments { get; } = Find("samples", "OrleansDocuments");

    private static string Find(string folder, string project)
    {
        var framework = Path.GetFileName(Output);
        var configuration = Path.GetFileName(Path.GetDirectoryName(Output)!);
        return Path.Combine(Repository, folder, project, "bin", configuration, framework, project + ".dll");
    }
}
