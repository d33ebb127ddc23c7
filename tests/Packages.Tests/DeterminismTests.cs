namespace Packages.Tests;

/// <summary>A build of the same commit gives the same bytes, so a package can be checked against its commit.</summary>
public sealed class DeterminismTests(Workplace workplace)
{
    [Fact]
    public async Task The_same_commit_gives_the_same_bytes_in_another_folder()
    {
        var other = workplace.CopySource("another folder");
        await workplace.RunAsync($"dotnet pack '{Path.Combine(other.Folder, "src")}' -c Release");
        foreach (var id in SourceCopy.Libraries)
        {
            Assert.Equal(Read(workplace.Source, id, "nupkg", "dll"), Read(other, id, "nupkg", "dll"));
            Assert.Equal(Read(workplace.Source, id, "nupkg", "xml"), Read(other, id, "nupkg", "xml"));
            Assert.Equal(Read(workplace.Source, id, "snupkg", "pdb"), Read(other, id, "snupkg", "pdb"));
        }
    }

    private static byte[] Read(SourceCopy source, string id, string package, string file)
    {
        using var opened = new Package(source.Packages, id, package);
        return opened.Read($"lib/net10.0/{id}.{file}");
    }
}
