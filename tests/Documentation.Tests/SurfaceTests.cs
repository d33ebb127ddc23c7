using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>The files of the packages' public types, and the file that lists their members.</summary>
public sealed partial class SurfaceTests
{
    private static readonly string Packages = Path.Combine(Pages.Repository, "src");

    [Fact]
    public void A_public_type_has_a_file_of_its_own_that_has_its_name()
    {
        var misplaced = Directory.EnumerateFiles(Packages, "*.cs", SearchOption.AllDirectories)
            .Where(static path => !path.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .Select(static path => (File: Path.GetFileName(path), Types: PublicTypes(File.ReadAllText(path))))
            .Where(static file => file.Types.Count > 1 || file.Types.Any(type => type != file.File.Split('.')[0]))
            .Select(static file => $"{file.File}: {string.Join(", ", file.Types)}");
        Assert.Empty(misplaced);
    }

    [Fact]
    public void Every_library_lists_its_public_members()
    {
        var libraries = Directory.EnumerateFiles(Packages, "*.csproj", SearchOption.AllDirectories)
            .Where(static project => !File.ReadAllText(project).Contains("<OutputType>Exe", StringComparison.Ordinal))
            .Select(static project => Path.GetDirectoryName(project)!);
        Assert.All(libraries, static folder => Assert.All(
            ["PublicAPI.Shipped.txt", "PublicAPI.Unshipped.txt"], file => Assert.True(File.Exists(Path.Combine(folder, file)), Path.Combine(folder, file))));
    }

    [Theory]
    [InlineData("public sealed record A;\npublic enum B { }", 2)]
    [InlineData("/// <summary>A.</summary>\npublic static class A\n{\n    public enum Inner { }\n}\n\ninternal sealed class B;", 1)]
    [InlineData("public delegate void A(int a);\npublic readonly record struct B(int C);\npublic interface D;", 3)]
    public void Only_public_types_outside_others_count(string source, int types) => Assert.Equal(types, PublicTypes(source).Count);

    private static List<string> PublicTypes(string source) => [.. PublicType().Matches(source).Select(static match => match.Groups["name"].Value).Distinct()];

    [GeneratedRegex(@"^public (?:(?:static|sealed|abstract|readonly|partial|ref|unsafe) )*(?:class|struct|record(?: struct| class)?|interface|enum|delegate \S+) (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex PublicType();
}
