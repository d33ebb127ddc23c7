using System.Text.Json;
using System.Xml.Linq;

namespace Documentation.Tests;

/// <summary>Each product builds by its solution filter, without another product.</summary>
public sealed class ProductTests
{
    // They are about all products.
    private static readonly string[] OfTheWhole = ["Documentation.Examples", "Documentation.Tests", "Packages.Tests"];

    private static readonly Dictionary<string, HashSet<string>> Products =
        new[] { "Stout", "Argon", "Director" }.ToDictionary(static product => product, static product => ProjectsOf(product + ".slnf").ToHashSet());

    public static TheoryData<string> Names => [.. Products.Keys];

    [Fact]
    public void Each_project_belongs_to_one_product_or_to_the_whole()
    {
        var all = Directory.EnumerateFiles(Pages.Repository, "*.csproj", SearchOption.AllDirectories)
            .Select(static path => Path.GetRelativePath(Pages.Repository, path))
            .Where(static path => !path.StartsWith("artifacts", StringComparison.Ordinal) && !OfTheWhole.Contains(Path.GetFileNameWithoutExtension(path)));

        Assert.Equal(all.Order(), Products.Values.SelectMany(static projects => projects).Order());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Projects_of_a_product_refer_to_no_other_product(string product)
    {
        var others = Products.Where(other => other.Key != product).SelectMany(static other => other.Value).Select(static project => Path.GetDirectoryName(project) + Path.DirectorySeparatorChar).ToList();
        var foreign = Products[product].SelectMany(project => IncludedBy(project).Where(file => others.Any(folder => file.StartsWith(folder, StringComparison.Ordinal))).Select(file => $"{project}: {file}"));

        Assert.Empty(foreign);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_filter_has_what_its_projects_refer_to(string product) =>
        Assert.All(Products[product], project => Assert.Subset(Products[product], IncludedBy(project).Where(static file => file.EndsWith(".csproj", StringComparison.Ordinal)).ToHashSet()));

    private static IEnumerable<string> ProjectsOf(string filter)
    {
        using var parsed = JsonDocument.Parse(Pages.Text(filter));
        return [.. parsed.RootElement.GetProperty("solution").GetProperty("projects").EnumerateArray().Select(static project => Native(project.GetString()!))];
    }

    /// <summary>The files of other folders that a project refers to, by their paths from the repository's root.</summary>
    private static IEnumerable<string> IncludedBy(string project) => XDocument.Parse(Pages.Text(project)).Descendants()
        .SelectMany(static item => ((string?)item.Attribute("Include") ?? (string?)item.Attribute("Project") ?? "").Split(';'))
        .Where(static path => path.StartsWith("..", StringComparison.Ordinal))
        .Select(path => Path.GetRelativePath(Pages.Repository, Path.Combine(Pages.Repository, Path.GetDirectoryName(project)!, Native(path))));

    private static string Native(string path) => path.Replace('\\', Path.DirectorySeparatorChar);
}
