using System.ComponentModel.DataAnnotations;
using System.Text;
using Microsoft.Extensions.Options;
using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>The location and use of PostgreSQL databases.</summary>
public sealed record PostgreSqlOptions
{
    /// <summary>
    /// Npgsql's connection strings, one for each store partition, in the order of their slots: 1 to 1,024. Each names a separate database, on one
    /// server or several. Their number and order cannot change later. Required.
    /// </summary>
    /// <remarks>
    /// The store manages connections itself, so settings of Npgsql's pool, of preparation and of time limits have no effect. If a standby may take
    /// over, name all hosts; <c>Target Session Attributes</c> is then <c>primary</c> by default.
    /// </remarks>
    [Required]
    public IList<string> ConnectionStrings { get; set; } = [];

    /// <summary>The schema of the tables: 1 to 63 bytes of UTF-8, default <c>stout</c>. Each set of store partitions has its own schema.</summary>
    [Required]
    public string Schema { get; set; } = "stout";

    /// <summary>
    /// Whether opening the store creates a missing schema: default true. If false, an administrator runs <c>deploy/schemas/postgresql</c> first, and
    /// the service needs no right to change schemas.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// Whether to accept a server with <c>fsync = off</c> or <c>full_page_writes = off</c>, or unlogged tables; default false. Acknowledged writes can then
    /// be lost if the server or its machine fails. (<c>full_page_writes = off</c> is safe on file systems that never tear a page.)
    /// </summary>
    public bool AllowUnsafeServer { get; set; }

    /// <summary>
    /// The most connections to each store partition: 2 to 1,000, default 16. A connection serves one request at a time. If no connection is idle, a request
    /// opens one; connections open one at a time.
    /// </summary>
    [Range(2, 1_000)]
    public int MaxConnections { get; set; } = 16;

    /// <summary>
    /// The longest wait for a lock that a request cannot skip: on a key that another transaction is inserting, or on a whole table. 10 ms to 1
    /// minute, default 250 ms. A key whose row is locked is reported as busy at once.
    /// </summary>
    [TimeRange("00:00:00.010", "00:01:00")]
    public TimeSpan LockTimeout { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Options for the background removal of old rows of replaced and deleted objects, and of deleted objects' headers. The server's clock, not this
    /// process's, measures the time since a deletion.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>The time limit of calls to a database.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>
    /// Called with each store partition's data source before it is built, for settings outside a connection string, such as certificates and access
    /// tokens. An asynchronous function is refused. Default: null.
    /// </summary>
    public Action<NpgsqlDataSourceBuilder>? ConfigureDataSource { get; set; }

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(PostgreSqlOptions);

    internal PostgreSqlOptions Copy() => this with { ConnectionStrings = [.. ConnectionStrings], Calls = Calls with { }, Sweeping = Sweeping with { } };

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new PostgreSqlOptionsValidator(), this);
        // Checks without attributes: only Npgsql can parse the strings, and the schema's limit is in bytes. The attribute for a list's length is unsafe for
        // trimming.
        if (ConnectionStrings.Count > Slots.Count)
            throw new InvalidOptionException(nameof(ConnectionStrings), $"it must have {Slots.Count} elements at most");
        for (var i = 0; i < Math.Max(1, ConnectionStrings.Count); i++)
            Validate(ConnectionStrings.ElementAtOrDefault(i), FormattableString.Invariant($"{nameof(ConnectionStrings)}:{i}"));
        if (Schema.Contains('\0', StringComparison.Ordinal) || Encoding.UTF8.GetByteCount(Schema) is < 1 or > 63)
            throw new InvalidOptionException(nameof(Schema), "it must have 1 to 63 bytes and no NUL");
        if (SynchronousFunction.IsAsynchronous(ConfigureDataSource))
            throw new InvalidOptionException(nameof(ConfigureDataSource), "it must not be asynchronous");
    }

    private static void Validate(string? connectionString, string option)
    {
        try
        {
            if (!string.IsNullOrEmpty(new NpgsqlConnectionStringBuilder(connectionString).Host))
                return;
        }
        catch (Exception error) when (error is ArgumentException or FormatException or InvalidCastException or OverflowException)
        {
            // The inner message may quote the wrong value, and so a secret.
        }

        throw new InvalidOptionException(option, "it has to be a connection string that names a host");
    }
}

[OptionsValidator]
internal sealed partial class PostgreSqlOptionsValidator : IValidateOptions<PostgreSqlOptions>;
