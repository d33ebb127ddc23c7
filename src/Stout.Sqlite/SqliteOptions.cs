using System.ComponentModel.DataAnnotations;
using System.Data.Common;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>The location and use of a set of SQLite files.</summary>
public sealed record SqliteOptions
{
    /// <summary>
    /// The database file. With several partitions the partition's number comes before the extension: <c>docs.db</c> becomes <c>docs.0.db</c>,
    /// <c>docs.1.db</c> and so on. Missing directories are created. Required. A connection string such as <c>Data Source=docs.db</c> sets its file;
    /// its other keywords have no effect.
    /// </summary>
    /// <remarks>
    /// In a host, a relative path begins at the content root; otherwise, at the working directory. If the file exists under the working directory and not under
    /// the content root, a host does not open the store. The same directory contains <c>docs.db.lock</c>, which excludes a second process, and SQLite's own <c>-wal</c> and <c>-shm</c> files. The
    /// directory must be on a local disk: SQLite's log does not work over a network.
    /// </remarks>
    public string Path
    {
        get;
        set => field = FileOf(value);
    } = "";

    /// <summary>
    /// Whether opening the store creates missing files: default true. If false, a missing file is an error (<see cref="StoreErrorKind.LayoutMismatch"/>). A host that is
    /// not in development logs a warning when it creates a file.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// The number of files among which keys are divided: 1 to 1,024, default 1. Each file has its own writer. The number cannot change later.
    /// </summary>
    [Range(1, Slots.Count)]
    public int Partitions { get; set; } = 1;

    /// <summary>
    /// The pages (of 2 KiB) written to a partition's log before a checkpoint: 16 to 1,000,000, default 8,000. Batches wait during a checkpoint. So a
    /// checkpoint starts only after an idle time as long as the last checkpoint took, or at four times this number of pages.
    /// </summary>
    /// <remarks>
    /// While another program reads an older state, the log cannot restart and grows with every write. After that reader ends, the log file is
    /// truncated to eight times this number (128 MiB by default) or less.
    /// </remarks>
    [Range(16, 1_000_000)]
    public int CheckpointPages { get; set; } = 8_000;

    /// <summary>
    /// The largest size of each database file in bytes, without its log; at least 128 KiB. A change beyond it is refused as <see
    /// cref="StoreErrorKind.Full"/>. Null, the default, uses all of the disk.
    /// </summary>
    [AtLeast(128 * 1024)]
    public long? MaxDatabaseBytes { get; set; }

    /// <summary>
    /// Options for the removal of dead rows and deleted headers. Each writing transaction removes dead rows too: up to twice the rows that it writes,
    /// plus <see cref="StoreSweepOptions.BatchSize"/>.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>
    /// The longest wait of a request for a thread of its file: 10 ms to 10 minutes, default 5 s. A request that waits longer ends as overloaded, without
    /// being started. The limit matters only if it is shorter than <see cref="StoutOptions.RequestTimeout"/>. The wait includes the time of an earlier
    /// request, since a lane may have two in flight (<see cref="IStorePartition.PreferredInFlight"/>).
    /// </summary>
    [TimeRange("00:00:00.010", "00:10:00")]
    public TimeSpan QueueTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The mode of new files: default <c>UserRead, UserWrite</c> (0600), for the service's user only. The process's umask may remove rights. Existing files
    /// keep their mode. Windows ignores this option.
    /// </summary>
    public UnixFileMode FileMode { get; set; } = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(SqliteOptions);

    /// <summary>The path that a relative <see cref="Path"/> has under the working directory, where a host must not find files; or null.</summary>
    internal string? OtherPath { get; set; }

    /// <summary>Acknowledges writes before they are on the disk. Only for a test that must notice the loss.</summary>
    internal bool UnsafeSynchronousOff { get; set; }

    /// <summary>Called with the name of each step at which a test may look at the files, or let the disk or the process fail.</summary>
    internal Action<string>? OnStep { get; set; }

    /// <summary>The number of concurrent reads of one partition, each on its own thread.</summary>
    internal int ReadersPerPartition { get; init; } = 2;

    /// <summary>The longest wait of a batch while another process writes, such as the sqlite3 shell. After it the store counts as overloaded.</summary>
    internal TimeSpan BusyTimeout { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The time without work after which a file gives up a thread. Its connection stays open.</summary>
    internal TimeSpan RestAfter { get; set; } = TimeSpan.FromSeconds(10);

    private static string FileOf(string text)
    {
        if (text?.Contains('=', StringComparison.Ordinal) is not true)
            return text!;
        var parts = new DbConnectionStringBuilder();
        try
        {
            parts.ConnectionString = text;
        }
        catch (ArgumentException)
        {
            return text;
        }

        return parts.TryGetValue("Data Source", out var file) ? (string)file : text;
    }

    internal SqliteOptions Copy() => this with { Sweeping = Sweeping with { } };

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new SqliteOptionsValidator(), this);
        // Checks of the path and of flags, which no attribute expresses.
        if (Path.Contains('\0', StringComparison.Ordinal) || string.IsNullOrWhiteSpace(System.IO.Path.GetFileName(Path)))
            throw new InvalidOptionException(nameof(Path), "it has to be the path of a file");
        if (!FileMode.HasFlag(UnixFileMode.UserRead | UnixFileMode.UserWrite) || (int)FileMode is < 0 or > 0x1FF)
            throw new InvalidOptionException(nameof(FileMode), "the user at least has to be able to read and write");
    }
}

[OptionsValidator]
internal sealed partial class SqliteOptionsValidator : IValidateOptions<SqliteOptions>;
