using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>Files that earlier versions of the library have made. The directory Layouts has one of each, closed or left by a killed process.</summary>
public sealed class FormerLayoutTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData("version4")]
    [InlineData("version4-killed")]
    public async Task File_of_an_earlier_version_is_opened_with_all_its_objects(string name)
    {
        foreach (var suffix in (string[])["", "-wal"])
        {
            var source = Path.Combine(AppContext.BaseDirectory, "Layouts", name + ".db" + suffix);
            if (File.Exists(source))
                File.Copy(source, _file.Path + suffix);
        }

        for (var opening = 0; opening < 2; opening++)
        {
            await using var store = await _file.OpenAsync();
            Assert.Equal(
                ["=value", "=root a=1 b=2", "=" + new string('x', 9_000), "(none)", "=mine", "(none)", "=long"],
                (await store.ReadAsync(["plain", "parts", "large", "deleted", "owned", "claimed", "long/" + new string('k', 700)])).Select(Show));
            Assert.Equal((7, 5), ((await store.ReadAsync("owned")).Owner.Epoch, (await store.ReadAsync("claimed")).Owner.Epoch));
        }

        await using var again = await _file.OpenAsync();
        await again.PutAsync("plain", (await again.ReadAsync("plain")).Version, parts: [Part("", "changed")]);
        Assert.Equal(8, (await again.ClaimAsync("owned")).Owner.Epoch);
    }
}
