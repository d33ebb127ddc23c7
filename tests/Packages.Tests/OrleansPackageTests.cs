using System.Text.RegularExpressions;

namespace Packages.Tests;

/// <summary>A silo outside the repository that uses the package Stout.Orleans: the silo and the grain of the package's page, run twice.</summary>
public sealed partial class OrleansPackageTests(Workplace workplace)
{
    [Fact]
    public async Task The_silo_and_the_grain_of_the_packages_page_run_from_the_package_and_keep_their_state()
    {
        var page = await File.ReadAllTextAsync(Path.Combine(SourceCopy.Repository, "src", "Stout.Orleans", "README.md"), TestContext.Current.CancellationToken);
        var code = Code().Matches(page.ReplaceLineEndings("\n")).Select(block => block.Groups["code"].Value).ToList();
        var versions = await File.ReadAllTextAsync(Path.Combine(SourceCopy.Repository, "Directory.Packages.props"), TestContext.Current.CancellationToken);
        var version = OrleansVersion().Match(versions).Groups["version"].Value;
        var project = Directory.CreateDirectory(Path.Combine(workplace.Projects, "silo")).FullName;
        await File.WriteAllTextAsync(Path.Combine(project, "silo.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="Microsoft.Orleans.Server" Version="{version}" />
                <PackageReference Include="Stout.Orleans" Version="0.1.0" />
                <PackageReference Include="Stout.Sqlite" Version="0.1.0" />
              </ItemGroup>
            </Project>
            """, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(project, "Program.cs"), $$"""
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;
            using Microsoft.Extensions.Logging;
            using Orleans.Concurrency;
            using Orleans.Hosting;
            using Stout.Orleans;

            var builder = Host.CreateApplicationBuilder();
            builder.Logging.ClearProviders();
            {{code[0]}}
            using var host = builder.Build();
            await host.StartAsync();
            var cart = host.Services.GetRequiredService<IGrainFactory>().GetGrain<ICartGrain>("mine");
            Console.WriteLine($"{await cart.Add("apple")} {await cart.Count()}");
            await host.StopAsync();

            public interface ICartGrain : IGrainWithStringKey
            {
                Task<int> Add(string item);

                Task<int> Count();
            }

            [GenerateSerializer]
            public sealed class CartState
            {
                [Id(0)]
                public List<string> Items { get; set; } = [];
            }

            {{code[1]}}
            """, TestContext.Current.CancellationToken);
        Assert.EndsWith("1 1\n2 2\n", await workplace.RunAsync("cd silo && dotnet run -c Release && dotnet run -c Release --no-build"), StringComparison.Ordinal);
    }

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Code();

    [GeneratedRegex("Microsoft.Orleans.Server\" Version=\"(?<version>[^\"]+)\"")]
    private static partial Regex OrleansVersion();
}
