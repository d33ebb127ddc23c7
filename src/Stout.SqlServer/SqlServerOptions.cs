using System.ComponentModel.DataAnnotations;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>The location and use of databases in SQL Server or Azure SQL.</summary>
public sealed record SqlServerOptions
{
    /// <summary>
    /// A connection string for each store partition, in order: 1 to 1,024, each for a separate database. Required. The number of strings cannot change later.
    /// Entra ID, managed identities and encryption are set here, in the format of Microsoft.Data.SqlClient.
    /// </summary>
    /// <remarks>
    /// <para>Entra ID and managed identities need the package Microsoft.Data.SqlClient.Extensions.Azure in addition to this one.</para>
    /// <para>Three settings are fixed. Connections do not enlist in ambient transactions, and do not reconnect by themselves. A pool retries failed
    /// connections at once, since the circuit breaker of <see cref="Calls"/> limits them.</para>
    /// </remarks>
    [Required]
    public IList<string> ConnectionStrings { get; set; } = [];

    /// <summary>
    /// The schema of the tables: a letter or underscore, then at most 63 ASCII letters, digits and underscores; default <c>stout</c>. Several sets
    /// can share a database, each with its own schema.
    /// </summary>
    [Required, RegularExpression("[A-Za-z_][A-Za-z0-9_]{0,63}", ErrorMessage = "The field {0} has to be a letter or underscore, then at most 63 letters, digits and underscores")]
    public string Schema { get; set; } = "stout";

    /// <summary>
    /// Whether opening the store creates a missing schema: default true. If false, an administrator runs <c>deploy/schemas/sqlserver</c> first, and
    /// the service needs no right to change schemas.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// Whether to accept a database that commits before the log is on disk (<c>DELAYED_DURABILITY = FORCED</c>): default false. Acknowledged writes
    /// can then be lost with the server.
    /// </summary>
    public bool AllowUnsafeServer { get; set; }

    /// <summary>Options for the background removal of old rows of replaced and deleted objects, and of deleted objects' headers.</summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>
    /// The longest wait of a request for another transaction's lock: 1 ms to 1 minute, default 100 ms. After that time the locked keys are isolated and wait
    /// by themselves (<see cref="StoreErrorKind.Busy"/>), and the other keys proceed. A longer wait delays the neighbors of a locked key at each attempt.
    /// </summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan LockTimeout { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The time limit of calls to a database.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(SqlServerOptions);

    internal SqlServerOptions Copy() => this with { ConnectionStrings = [.. ConnectionStrings], Calls = Calls with { }, Sweeping = Sweeping with { } };

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new SqlServerOptionsValidator(), this);
        // Checks without attributes: only SqlClient can parse the strings, and the attribute for a list's length is unsafe for trimming.
        if (ConnectionStrings.Count > Slots.Count)
            throw new InvalidOptionException(nameof(ConnectionStrings), $"it must have {Slots.Count} elements at most");
        for (var i = 0; i < Math.Max(1, ConnectionStrings.Count); i++)
            Validate(ConnectionStrings.ElementAtOrDefault(i), FormattableString.Invariant($"{nameof(ConnectionStrings)}:{i}"));
    }

    // SqlClient's exception is dropped: its message quotes invalid parts of the string, which may contain a password.
    private static void Validate(string? connectionString, string option)
    {
        try
        {
            if (new SqlConnectionStringBuilder(connectionString).DataSource.Length > 0)
                return;
        }
        catch (Exception error) when (error is ArgumentException or FormatException)
        {
        }

        throw new InvalidOptionException(option, "it has to be a connection string that names a server");
    }
}

[OptionsValidator]
internal sealed partial class SqlServerOptionsValidator : IValidateOptions<SqlServerOptions>;
