using System.IO.Compression;
using System.Xml.Linq;

namespace Packages.Tests;

/// <summary>An open package, or an open package of symbols.</summary>
internal sealed class Package : IDisposable
{
    private readonly ZipArchive _archive;

    public Package(string folder, string id, string extension)
    {
        // After the id comes the version, which begins with a digit. So the pattern for Stout does not find Stout.Sqlite.
        var path = Assert.Single(Directory.EnumerateFiles(folder, $"{id}.*.{extension}"), path => char.IsDigit(Path.GetFileName(path)[id.Length + 1]));
        _archive = ZipFile.OpenRead(path);
        var nuspec = Assert.Single(_archive.Entries, entry => entry.FullName == id + ".nuspec");
        using var stream = nuspec.Open();
        Metadata = XDocument.Load(stream).Root!.Elements().Single(element => element.Name.LocalName == "metadata");
    }

    public XElement Metadata { get; }

    /// <summary>The files of the package itself, without those that the format adds.</summary>
    public IEnumerable<string> Files => _archive.Entries.Select(entry => entry.FullName)
        .Where(name => name is not "[Content_Types].xml" && !name.StartsWith("_rels/", StringComparison.Ordinal) && !name.StartsWith("package/", StringComparison.Ordinal));

    public string? this[string element] => Find(element)?.Value;

    public XElement? Find(string element) => Metadata.Elements().SingleOrDefault(found => found.Name.LocalName == element);

    public IReadOnlyDictionary<string, string> Dependencies => Metadata.Descendants()
        .Where(element => element.Name.LocalName == "dependency")
        .ToDictionary(element => element.Attribute("id")!.Value, element => element.Attribute("version")!.Value);

    public byte[] Read(string file)
    {
        using var stream = _archive.GetEntry(file)!.Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    public void Dispose() => _archive.Dispose();
}
