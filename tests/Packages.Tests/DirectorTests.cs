namespace Packages.Tests;

/// <summary>Programs outside the repository that use the Director's packages, and its tool.</summary>
public sealed class DirectorTests(Workplace workplace)
{
    private const string Project = """
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net10.0</TargetFramework>
            <ImplicitUsings>enable</ImplicitUsings>
          </PropertyGroup>
          <ItemGroup>
            <PackageReference Include="PACKAGE" Version="0.1.0" />
          </ItemGroup>
        </Project>
        """;

    [Fact]
    public async Task A_program_decides_with_the_package_alone() => Assert.EndsWith("Lease m1.small", await RunAsync("decides", "Stout.Director", """
        using Stout.Director;
        using Stout.Director.Layouts;
        using Stout.Director.Loads;
        using Stout.Director.Models;

        var type = new ServerType
        {
            Name = "m1.small",
            SteadyState = new SteadyStateModel { CostOfGet = 1 / 7_000.0, CostOfPut = 1 / 7_000.0, Trained = new LoadRange(8_000, 4_000) },
            Copies = new CopyDurationModel { Coefficients = [1, 0, 0, 0, 0, 0, 0], Scales = [1, 1, 1] },
            Memory = 800_000_000,
        };
        var core = new DirectorCore(new DirectorSettings(DirectorPolicy.Default with { Surge = 0 }, [type], 1));
        core.Begin(TimeSpan.Zero, 1, []);
        var cluster = new ClusterObservation(
            new Layout([[1, 2]], 1, 1),
            [.. Enumerable.Range(1, 2).Select(id => new ServerState(id, type.Name, ServerPhase.Live, TimeSpan.FromMinutes(5)))],
            [],
            [.. Enumerable.Range(1, 2).Select(id => new ServerReport(id, 1, TimeSpan.Zero, [new BinVisits(0, 3_000, 100)]))],
            [1_000_000]);
        foreach (var action in core.Plan(TimeSpan.FromSeconds(20), cluster).Actions)
            Console.WriteLine($"{action.Kind} {action.Type}");
        """), StringComparison.Ordinal);

    [Fact]
    public async Task A_program_simulates_with_the_package() => Assert.EndsWith("99.5", await RunAsync("simulates", "Stout.Director.Simulation", """
        using Stout.Director;
        using Stout.Director.Simulation.Running;
        using Stout.Director.Simulation.Scenarios;
        using Stout.Director.Simulation.Training;

        var result = SimulationRun.Run(PaperScenarios.Hotspot(TrainedModels.SmallInstance, DirectorPolicy.Default, 1, SimulationMode.Flow));
        Console.WriteLine(FormattableString.Invariant($"{result.AttainedPercentile(TimeSpan.FromMinutes(5))}"));
        """), StringComparison.Ordinal);

    [Fact]
    public async Task The_tool_installs_records_explains_and_compares()
    {
        await workplace.RunAsync("dotnet tool install Stout.Director.Tool --version 0.1.0 --tool-path tools --configfile nuget.config");
        await workplace.RunAsync("tools/stout-director simulate --scenario hotspot --record hotspot.rec");
        Assert.Contains("as a further replica", await workplace.RunAsync("tools/stout-director explain --recording hotspot.rec --at 0:24"), StringComparison.Ordinal);
        Assert.Contains("the SCADS", await workplace.RunAsync("tools/stout-director whatif --recording hotspot.rec --page whatif.html"), StringComparison.Ordinal);
        Assert.Contains("<svg", await File.ReadAllTextAsync(Path.Combine(workplace.Projects, "whatif.html"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    private async Task<string> RunAsync(string name, string package, string program)
    {
        var folder = Directory.CreateDirectory(Path.Combine(workplace.Projects, name)).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, name + ".csproj"), Project.Replace("PACKAGE", package, StringComparison.Ordinal), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(folder, "Program.cs"), program, TestContext.Current.CancellationToken);
        return (await workplace.RunAsync($"dotnet run --project {name} -c Release")).Trim();
    }
}
