using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>Where a set of SQLite files is, and how it is used.</summary>
public sealed record SqliteOptions
{
    /// <summary>
    /// The database file. With more than one partition the partition's number goes before the extension:
    /// <c>docs.db</c> becomes <c>docs.0.db</c>, <c>docs.1.db</c> and so on. Missing directories are made. Required.
    /// </summary>
    /// <remarks>
    /// Beside it stand <c>docs.db.lock</c>, which keeps a second process out, and SQLite's own <c>-wal</c> and <c>-shm</c> files.
    /// The directory has to be on a local disk: SQLite's log does not work over a network.
    /// </remarks>
    public string Path { get; set; } = "";

    /// <summary>
    /// In how many files the keys are spread: 1 to 1,024, default 1. Each has its own writer. It can't be changed later.
    /// </summary>
    [Range(1, Slots.Count)]
    public int Partitions { get; set; } = 1;

    /// <summary>How many reads of one partition run beside each other and the writer: 1 to 64, default 2. Each is a thread.</summary>
    [Range(1, 64)]
    public int ReadersPerPartition { get; set; } = 2;

    /// <summary>
    /// How many pages (of 4 KiB) are written to a partition's log before they are copied into the database file: 16 to 1,000,000,
    /// default 4,000. Batches wait meanwhile; so it is done when none has come for as long as it took the last time, and where there is no
    /// such moment, at four times as many.
    /// </summary>
    /// <remarks>
    /// While another program reads an older state, the log can't begin anew and grows with every write. When that reader has gone the
    /// log's file is cut back to eight times as many pages (128 MiB by default) or less.
    /// </remarks>
    [Range(16, 1_000_000)]
    public int CheckpointPages { get; set; } = 4_000;

    /// <summary>
    /// The greatest size of each database file, without its log, in bytes; at least 128 KiB. What would exceed it is refused as
    /// <see cref="StoreErrorKind.Full"/>. Null, the default, is as much as the disk takes.
    /// </summary>
    [AtLeast(128 * 1024)]
    public long? MaxDatabaseBytes { get; set; }

    /// <summary>
    /// How dead rows are removed, and how long headers of deleted keys are kept. Each transaction that writes also removes dead rows: up to
    /// twice the rows that it writes, and <see cref="StoreSweepOptions.BatchSize"/> more.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>
    /// How long a batch waits while another process (a person with the sqlite3 shell, say) is writing, before the store counts as
    /// overloaded: 0 to 1 minute, default 250 ms.
    /// </summary>
    [TimeRange("00:00:00", "00:01:00")]
    public TimeSpan BusyTimeout { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// How long a request waits for the file's thread before it ends as overloaded, without being begun: 10 ms to 10 minutes, default
    /// 5 s. It has an effect only if it is shorter than <see cref="StoutOptions.RequestTimeout"/>.
    /// </summary>
    [TimeRange("00:00:00.010", "00:10:00")]
    public TimeSpan QueueTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The mode of the files that are made: default <c>UserRead, UserWrite</c> (0600), the service's own user alone. The process's umask may
    /// take rights away, existing files keep theirs, and on Windows it has no effect.
    /// </summary>
    public UnixFileMode FileMode { get; set; } = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(SqliteOptions);

    /// <summary>Acknowledges what the disk does not have yet. Only to show that the tests would notice.</summary>
    internal bool UnsafeSynchronousOff { get; set; }

    /// <summary>Called with the name of each step at which a test may want to look, or to let a disk or the process fail.</summary>
    internal Action<string>? OnStep { get; set; }

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new SqliteOptionsValidator(), this);
        // What the file system and the flags say takes code.
        if (Path.Contains('\0', StringComparison.Ordinal) || string.IsNullOrWhiteSpace(System.IO.Path.GetFileName(Path)))
            throw new InvalidOptionException(nameof(Path), "it has to be the path of a file");
        if (!FileMode.HasFlag(UnixFileMode.UserRead | UnixFileMode.UserWrite) || (int)FileMode is < 0 or > 0x1FF)
            throw new InvalidOptionException(nameof(FileMode), "the user at least has to be able to read and write");
    }
}

[OptionsValidator]
internal sealed partial class SqliteOptionsValidator : IValidateOptions<SqliteOptions>;
