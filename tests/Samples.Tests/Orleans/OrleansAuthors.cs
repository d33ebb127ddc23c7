using SectionedDocuments.Tests.Processes;

namespace Samples.Tests.Orleans;

/// <summary>The authors of samples/Authors, at a silo.</summary>
internal static class OrleansAuthors
{
    /// <summary>Runs them, with the sample's own histories.</summary>
    /// <returns>Their output.</returns>
    public static async Task<string> RunAsync(RunningService silo, params IEnumerable<string> arguments)
    {
        using var authors = RunningProgram.Start(Programs.Repository, RunningProgram.Dotnet(Programs.Authors, ["--url", silo.Address.ToString(), .. arguments]));
        var exitCode = await authors.ExitAsync();
        Assert.True(exitCode == 0, authors.Output);
        return authors.Output;
    }
}
