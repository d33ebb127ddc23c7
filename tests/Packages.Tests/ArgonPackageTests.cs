using System.Text.RegularExpressions;

namespace Packages.Tests;

/// <summary>A project outside the repository that uses the package Stout.Argon as its page says.</summary>
public sealed class ArgonPackageTests(Workplace workplace)
{
    [Fact]
    public async Task The_code_of_the_packages_page_runs_from_the_package()
    {
        var page = File.ReadAllText(Path.Combine(SourceCopy.Repository, "src", "Stout.Argon", "README.md")).ReplaceLineEndings("\n");
        var code = Regex.Match(page, "```csharp\n(.*?)```", RegexOptions.Singleline).Groups[1].Value;
        var project = Directory.CreateDirectory(Path.Combine(workplace.Projects, "argon")).FullName;
        await File.WriteAllTextAsync(Path.Combine(project, "argon.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="Stout.Argon" Version="0.1.0" />
              </ItemGroup>
            </Project>
            """, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(project, "Program.cs"), $"using Stout.Argon;\nvar folder = \"data\";\n{code}\nConsole.WriteLine(System.Text.Encoding.UTF8.GetString(bytes));\n", TestContext.Current.CancellationToken);
        Assert.EndsWith("42 apples\n", await workplace.RunAsync("cd argon && dotnet run"), StringComparison.Ordinal);
    }
}
