using System.ComponentModel.DataAnnotations;
using System.Text;
using Microsoft.Extensions.Options;
using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>Which PostgreSQL databases hold the objects, and how they are used.</summary>
public sealed record PostgreSqlOptions
{
    /// <summary>
    /// Npgsql's connection strings, one for each store partition, in the order of their slots: 1 to 1,024. Each names a database of its
    /// own, on one server or several. Their number and order can't be changed later. Required.
    /// </summary>
    /// <remarks>
    /// Connections are kept by the store itself: settings of Npgsql's pool, of preparation and of time limits have no effect. Where a
    /// standby may take over, name all hosts and <c>Target Session Attributes=primary</c>.
    /// </remarks>
    [Required]
    public IList<string> ConnectionStrings { get; set; } = [];

    /// <summary>The schema that the tables are in: 1 to 63 bytes of UTF-8, default <c>stout</c>. Each set of objects has its own.</summary>
    [Required]
    public string Schema { get; set; } = "stout";

    /// <summary>
    /// Whether a schema that is missing is made when the store is opened: default true. If false, a person has run
    /// <c>deploy/schemas/postgresql</c> before, and the service needs no right to change schemas.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// Whether to work with a server that says <c>fsync = off</c> or <c>full_page_writes = off</c>, or with unlogged tables; default
    /// false. What is acknowledged is then lost when its machine fails. (<c>full_page_writes = off</c> is safe on file systems that
    /// never tear a page.)
    /// </summary>
    public bool AllowUnsafeServer { get; set; }

    /// <summary>
    /// The most connections to each store partition: 2 to 1,000, default 16. One is a batch under way, or idle. A request that finds none idle opens one,
    /// one request after another.
    /// </summary>
    [Range(2, 1_000)]
    public int MaxConnections { get; set; } = 16;

    /// <summary>
    /// How long a request waits for a lock that it can't skip: a key that another transaction is inserting, or a lock on a whole table. 10 ms
    /// to 1 minute, default 250 ms. A key whose row another transaction has locked does not wait: it is reported as busy at once.
    /// </summary>
    [TimeRange("00:00:00.010", "00:01:00")]
    public TimeSpan LockTimeout { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// How dead rows are removed, and how long headers of deleted keys are kept. The server's clock, and not this process's, says how long
    /// ago a key was deleted.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>The time limit of calls, and when a database that does not answer is left alone.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>
    /// Called with each store partition's data source before it is built, for what a connection string can't say: certificates, passwords
    /// that change (access tokens). Default: nothing.
    /// </summary>
    public Action<NpgsqlDataSourceBuilder>? ConfigureDataSource { get; set; }

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(PostgreSqlOptions);

    internal PostgreSqlOptions Copy() => this with { ConnectionStrings = [.. ConnectionStrings], Calls = Calls with { }, Sweeping = Sweeping with { } };

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new PostgreSqlOptionsValidator(), this);
        // Npgsql reads the strings, and the name is bounded by its bytes; the attribute for a length is not safe for trimming.
        if (ConnectionStrings.Count > Slots.Count)
            throw new InvalidOptionException(nameof(ConnectionStrings), $"it must have {Slots.Count} elements at most");
        for (var i = 0; i < Math.Max(1, ConnectionStrings.Count); i++)
            Validate(ConnectionStrings.ElementAtOrDefault(i), FormattableString.Invariant($"{nameof(ConnectionStrings)}:{i}"));
        if (Schema.Contains('\0', StringComparison.Ordinal) || Encoding.UTF8.GetByteCount(Schema) is < 1 or > 63)
            throw new InvalidOptionException(nameof(Schema), "it must have 1 to 63 bytes and no NUL");
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
            // Its message may quote the value that is wrong, and so a secret.
        }

        throw new InvalidOptionException(option, "it has to be a connection string that names a host");
    }
}

[OptionsValidator]
internal sealed partial class PostgreSqlOptionsValidator : IValidateOptions<PostgreSqlOptions>;
