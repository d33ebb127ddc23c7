using SQLitePCL;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>A backup that is copied over the database file while the file's log is still beside it.</summary>
public sealed class StrangeLogTests : IDisposable
{
    private readonly StoreFile _file = new();
    private readonly TemporaryDirectory _backups = new();

    public StrangeLogTests() => _file.Options.CheckpointPages = 16;

    private string Backup => _backups["backup.db"];

    public void Dispose()
    {
        _file.Dispose();
        _backups.Dispose();
    }

    public static TheoryData<string, int, int> Backups()
    {
        // 0, 1 and 2 changes cause no checkpoint, 100 changes cause several.
        var data = new TheoryData<string, int, int>();
        foreach (var kind in (string[])[".backup", "VACUUM INTO"])
        {
            foreach (var before in (int[])[0, 1, 100])
            {
                foreach (var after in (int[])[1, 2, 100])
                    data.Add(kind, before, after);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Backups))]
    public async Task Backup_beside_the_log_of_the_replaced_file_is_refused_and_both_stay(string kind, int before, int after)
    {
        var store = await _file.OpenAsync();
        await ChangeAsync(store, "before", before);
        Copy(kind, _file.Path, Backup);
        await ChangeAsync(store, "after", after);
        using var killed = _file.Directory.Copy();
        await store.DisposeAsync();

        await IsRefusedAsync(killed, Backup);
    }

    [Theory]
    [InlineData(".backup")]
    [InlineData("VACUUM INTO")]
    public async Task Second_restore_is_refused_like_the_first(string kind)
    {
        // The service runs on a restored backup. Its file differs from that backup and from the next ones, even if no page 1 was written between.
        var origin = await _file.OpenAsync();
        await origin.PutAsync("key", Stamp.Absent, parts: [Part("", "0")]);
        Copy(kind, _file.Path, Backup);
        await origin.DisposeAsync();
        using var second = new StoreFile();
        File.Copy(Backup, second.Path);
        var store = await second.OpenAsync();
        Copy(kind, second.Path, _backups["unchanged.db"]);
        var stamp = (await store.ReadAsync("key")).Version;
        stamp = await store.PutAsync("key", stamp, parts: [Part("", "1")]);
        Copy(kind, second.Path, _backups["changed.db"]);
        await store.PutAsync("key", stamp, parts: [Part("", "2")]);

        foreach (var backup in (string[])[Backup, _backups["unchanged.db"], _backups["changed.db"]])
        {
            using var killed = second.Directory.Copy();
            await IsRefusedAsync(killed, backup);
        }

        await store.DisposeAsync();
    }

    [Fact]
    public async Task Copy_of_the_file_alone_is_refused_after_the_next_checkpoint()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        File.Copy(_file.Path, _backups["closed.db"]);
        TemporaryDirectory? killed = null;
        var checkpoints = 0;
        _file.AtStep = step =>
        {
            if (step == "before the log is copied" && ++checkpoints == 2)
                File.Copy(_file.Path, _backups["running.db"]);
            if (step == "before the log is copied" && checkpoints == 3)
                killed = _file.Directory.Copy();
        };
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", new byte[3_000])]);
        while (killed is null)
            stamp = await store.PutAsync("key", stamp, parts: [Part("", new byte[3_000])]); // In its place, so that no page is added.

        using (killed)
        {
            await IsRefusedAsync(killed, _backups["closed.db"]);
            await IsRefusedAsync(killed, _backups["running.db"]);
        }
    }

    [Fact]
    public async Task Backup_in_an_empty_directory_is_the_state_at_its_time()
    {
        var store = await _file.OpenAsync();
        await ChangeAsync(store, "key", 10);
        Copy(".backup", _file.Path, Backup);
        await ChangeAsync(store, "after", 10);
        await store.DisposeAsync();
        using var restored = new StoreFile();
        File.Copy(Backup, restored.Path);

        await using var again = await restored.OpenAsync();

        Assert.Equal(10, (await again.ListAsync("key", 100)).Count);
    }

    [Theory]
    [InlineData("INSERT INTO garbage VALUES (x'00')")]
    [InlineData("PRAGMA wal_checkpoint(PASSIVE)")]
    [InlineData("INSERT INTO garbage VALUES (x'00'); PRAGMA wal_checkpoint(RESTART); INSERT INTO garbage VALUES (x'01')")]
    [InlineData("INSERT INTO garbage VALUES (x'00'); PRAGMA wal_checkpoint(TRUNCATE)")]
    [InlineData("VACUUM; PRAGMA wal_checkpoint(PASSIVE)")]
    [InlineData("VACUUM; PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO garbage VALUES (x'01')")]
    [InlineData("PRAGMA user_version = 4; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 4; PRAGMA wal_checkpoint(PASSIVE)")]
    public async Task Another_program_s_changes_and_checkpoints_raise_no_alarm(string sql)
    {
        var store = await _file.OpenAsync();
        foreach (var round in (int[])[1, 2])
        {
            await ChangeAsync(store, $"key {round}", 20);
            RawFile.Change(_file.Path, sql.Replace("x'0", $"x'{round}", StringComparison.Ordinal));
            await OpensAsync((21 * round) - 1);
            await ChangeAsync(store, $"more keys {round}", 1);
            await OpensAsync(21 * round);
        }

        await store.DisposeAsync();

        async Task OpensAsync(int objects)
        {
            using var killed = _file.Directory.Copy();
            await using var again = await StoreClient.OpenAsync(new SqliteStorage(killed["docs.db"]));
            Assert.Equal(objects, (await again.ListAsync("key", 100)).Count + (await again.ListAsync("more", 100)).Count);
        }
    }

    [Fact]
    public async Task Log_without_its_mark_and_a_torn_mark_are_accepted()
    {
        var store = await _file.OpenAsync();
        await ChangeAsync(store, "key", 5);
        foreach (var length in (int[])[0, 50, 131])
        {
            using var killed = _file.Directory.Copy();
            using (var mark = File.Open(killed["docs.db-mark"], FileMode.Open))
                mark.SetLength(length);
            if (length == 0)
                File.Delete(killed["docs.db-mark"]);
            await using var again = await StoreClient.OpenAsync(new SqliteStorage(killed["docs.db"]));
            Assert.Equal(5, (await again.ListAsync("key", 100)).Count);
        }

        await store.DisposeAsync();
    }

    private static async Task IsRefusedAsync(TemporaryDirectory killed, string backup)
    {
        var (file, log) = (killed["docs.db"], killed["docs.db-wal"]);
        Assert.NotEqual(0, new FileInfo(log).Length);
        File.Copy(backup, file, overwrite: true);
        var before = (await File.ReadAllBytesAsync(file), await File.ReadAllBytesAsync(log));

        for (var attempt = 0; attempt < 2; attempt++)
        {
            await using var storage = new SqliteStorage(file);
            var refusal = await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync());

            Assert.Equal(StoreErrorKind.LayoutMismatch, refusal.Kind);
            Assert.Contains($"{file} is another one than its log {log} belongs to", refusal.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("delete", refusal.Message, StringComparison.OrdinalIgnoreCase);
        }

        Assert.Equal(before.Item1, await File.ReadAllBytesAsync(file));
        Assert.Equal(before.Item2, await File.ReadAllBytesAsync(log));
    }

    private async Task ChangeAsync(StoreClient store, string name, int objects)
    {
        for (var i = 0; i < objects; i++)
            await store.PutAsync($"{name} {i}", Stamp.Absent, parts: [Part("", new byte[1_000])]);
        await _file.RestAsync(store);
    }

    private static void Copy(string kind, string source, string target)
    {
        using var file = new RawFile(source);
        if (kind == ".backup")
            file.BackUp(target);
        else
            file.Execute($"VACUUM INTO '{target}'");
    }
}
