using System.Runtime.Versioning;
using Stout.Storage;

namespace Stout.Sqlite.Tests;

[UnsupportedOSPlatform("windows")]
public sealed class FileModeTests : IDisposable
{
    private const UnixFileMode Mine = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private static readonly string[] Names = ["docs.db", "docs.db-wal", "docs.db-shm", "docs.db.lock"];

    private readonly StoreFile _file = new();

    public FileModeTests() => Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task New_files_are_the_own_users_alone()
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent);

        Assert.All(Names, name => Assert.Equal(Mine, File.GetUnixFileMode(_file.Directory[name])));
    }

    [Fact]
    public async Task New_files_have_the_mode_of_the_options()
    {
        _file.Options.FileMode = Mine | UnixFileMode.GroupRead;
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent);

        Assert.All(Names, name => Assert.Equal(Mine | UnixFileMode.GroupRead, File.GetUnixFileMode(_file.Directory[name])));
    }

    [Fact]
    public async Task File_that_is_there_keeps_its_mode()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        File.SetUnixFileMode(_file.Path, Mine | UnixFileMode.OtherRead);

        await using var store = await _file.OpenAsync();

        Assert.Equal(Mine | UnixFileMode.OtherRead, File.GetUnixFileMode(_file.Path));
    }

    [Theory]
    [InlineData(UnixFileMode.UserRead)]
    [InlineData(UnixFileMode.None)]
    public void Mode_that_keeps_the_service_out_is_no_option(UnixFileMode mode) =>
        Assert.Throws<InvalidOptionException>(() => new SqliteStorage(_file.Options with { FileMode = mode }));
}
