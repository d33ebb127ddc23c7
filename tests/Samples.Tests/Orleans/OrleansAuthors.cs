using SectionedDocuments.Tests.Processes;

namespace Samples.Tests.Orleans;

/// <summary>The program samples/Authors, which writes to a silo.</summary>
internal static class OrleansAuthors
{
    /// <summary>Runs the program with the histories of its sample.</summary>
    /// <returns>The program's output.</returns>
    public static async Task<string> RunAsync(RunningService silo, params IEnumerable<string> arguments)
    {
        using var authors = RunningProgram.Start(Programs.Repository, RunningProgram.Dotnet(Programs.Authors, ["--url", silo.Address.ToString(), .. arguments]));
        var exitCode = await authors.ExitAsync();
        Assert.True(exitCode == 0, authors.Output);
        return authors.Output;
    }
}
