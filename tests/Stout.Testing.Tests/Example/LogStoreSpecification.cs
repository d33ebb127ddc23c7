using Stout.Storage;

namespace Stout.Testing.Tests.Example;

#region specification
public sealed class LogStoreSpecification : StorageProxySpecification, IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("stout-log-").FullName;

    private string LogPath => Path.Combine(_directory, "objects.log");

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    protected override IStorageProxy Connect(TimeProvider time) => new LogStore(LogPath);
#endregion

    protected override int RandomOperations => 3_000;

    #region trouble
    protected override async Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        switch (trouble)
        {
            case StoreErrorKind.LayoutMismatch:
                await File.WriteAllTextAsync(LogPath, "Dear diary, today I was no log of any store.");
                return new LogStore(LogPath);
            case StoreErrorKind.Corrupt:
                await using (var store = await OpenAsync())
                {
                    await store.PutAsync("key", Stamp.Absent);
                    await store.PutAsync("key 2", Stamp.Absent);
                }

                var bytes = await File.ReadAllBytesAsync(LogPath);
                bytes[100] ^= 1;
                await File.WriteAllBytesAsync(LogPath, bytes);
                return new LogStore(LogPath);
            default:
                return null;
        }
    }
    #endregion
}
