using System.Buffers.Binary;
using System.Reflection.Metadata;
using System.Text;
using System.Xml.Linq;

namespace Packages.Tests;

/// <summary>The contents of each package.</summary>
public sealed class PackageContentTests(Workplace workplace)
{
    private const string Library = "lib/net10.0/";

    // The id of Source Link's data in the format of portable PDBs.
    private static readonly Guid SourceLink = new("cc110556-a091-4d38-9fec-25ab9a351a6a");

    public static TheoryData<string> Products => [.. SourceCopy.Products];

    public static TheoryData<string> Libraries => [.. SourceCopy.Libraries];

    [Fact]
    public void Every_project_of_src_has_a_package_and_nothing_else_has()
    {
        var packages = Directory.EnumerateFiles(workplace.Source.Packages, "*.nupkg").Select(path => Path.GetFileName(path));
        Assert.Equal(
            SourceCopy.Products.Order(StringComparer.Ordinal),
            packages.Select(name => string.Join('.', name.Split('.').TakeWhile(part => !char.IsDigit(part[0])))).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void A_package_has_its_library_with_documentation_a_page_and_an_icon_and_nothing_else(string id)
    {
        using var package = Open(id);
        Assert.Equal(
            [id + ".nuspec", "README.md", "icon.png", $"{Library}{id}.dll", $"{Library}{id}.xml"],
            package.Files.Order(StringComparer.Ordinal).OrderBy(name => name != id + ".nuspec"));
        Assert.Equal(File.ReadAllBytes(Path.Combine(SourceCopy.Repository, "src", id, "README.md")), package.Read("README.md"));
        Assert.StartsWith("# " + id + "\n", Encoding.UTF8.GetString(package.Read("README.md")).ReplaceLineEndings("\n"), StringComparison.Ordinal);
        var documentation = XDocument.Parse(Encoding.UTF8.GetString(package.Read($"{Library}{id}.xml")));
        Assert.NotEmpty(documentation.Descendants("member"));
    }

    [Theory]
    [MemberData(nameof(Products))]
    public void A_package_says_what_it_is_who_made_it_and_under_which_licence(string id)
    {
        using var package = Open(id);
        Assert.True(package["description"]!.Length > 20 && package["description"] != "Package Description");
        Assert.Contains("stout", (package["tags"] + " " + package["id"])!, StringComparison.OrdinalIgnoreCase);
        Assert.NotEqual(id, package["authors"]);
        Assert.Equal("MIT", package["license"]);
        Assert.Equal("expression", package.Find("license")!.Attribute("type")!.Value);
        Assert.Equal("README.md", package["readme"]);
        Assert.Equal("icon.png", package["icon"]);
        var repository = package.Find("repository")!;
        Assert.Equal(package["projectUrl"], repository.Attribute("url")!.Value);
        Assert.Equal(SourceCopy.Commit, repository.Attribute("commit")!.Value);
    }

    [Theory]
    [MemberData(nameof(Products))]
    public void The_icon_is_a_png_of_128_by_128(string id)
    {
        using var package = Open(id);
        var icon = package.Read("icon.png");
        Assert.Equal([0x89, .. "PNG\r\n\x1a\n"u8], icon[..8]);
        Assert.Equal((128, 128), (BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(16)), BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(20))));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void A_package_depends_on_what_its_project_names_in_the_versions_of_the_repository(string id)
    {
        using var package = Open(id);
        var folder = Path.Combine(SourceCopy.Repository, "src", id);
        var project = XDocument.Load(Path.Combine(folder, id + ".csproj"));
        var versions = XDocument.Load(Path.Combine(SourceCopy.Repository, "Directory.Packages.props")).Descendants("PackageVersion")
            .ToDictionary(version => version.Attribute("Include")!.Value, version => version.Attribute("Version")!.Value);
        var expected = project.Descendants("PackageReference")
            .Where(reference => reference.Attribute("PrivateAssets") is null)
            .Select(reference => reference.Attribute("Include")!.Value)
            .ToDictionary(name => name, name => versions[name]);
        foreach (var reference in project.Descendants("ProjectReference").Select(reference => reference.Attribute("Include")!.Value))
        {
            // A project that replaces an external package has that package's version instead of ours.
            var version = XDocument.Load(Path.Combine(folder, reference)).Descendants("Version").SingleOrDefault()?.Value;
            expected.Add(Path.GetFileNameWithoutExtension(reference), version ?? package["version"]!);
        }

        Assert.Equal(expected.OrderBy(pair => pair.Key, StringComparer.Ordinal), package.Dependencies.OrderBy(pair => pair.Key, StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Symbols_lead_to_the_published_source_of_the_commit_and_name_no_folder_of_the_machine(string id)
    {
        using var package = new Package(workplace.Source.Packages, id, "snupkg");
        using var symbols = MetadataReaderProvider.FromPortablePdbStream(new MemoryStream(package.Read($"{Library}{id}.pdb")));
        var reader = symbols.GetMetadataReader();
        var link = Assert.Single(
            reader.CustomDebugInformation.Select(reader.GetCustomDebugInformation), information => reader.GetGuid(information.Kind) == SourceLink);
        using var main = Open(id);
        var source = main["projectUrl"]!.Replace("https://github.com/", "https://raw.githubusercontent.com/", StringComparison.Ordinal);
        Assert.Equal($$$"""{"documents":{"/_/*":"{{{source}}}/{{{SourceCopy.Commit}}}/*"}}""", Encoding.UTF8.GetString(reader.GetBlobBytes(link.Value)));
        Assert.All(reader.Documents, document => Assert.StartsWith("/_/", reader.GetString(reader.GetDocument(document).Name), StringComparison.Ordinal));
    }

    private Package Open(string id) => new(workplace.Source.Packages, id, "nupkg");
}
