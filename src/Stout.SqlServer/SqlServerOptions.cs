using System.ComponentModel.DataAnnotations;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>Which databases of SQL Server or Azure SQL keep the objects, and how they are used.</summary>
public sealed record SqlServerOptions
{
    /// <summary>
    /// A connection string for each store partition, in order: 1 to 1,024, each to a database (or schema) of its own. Required. Their number
    /// can't be changed later. Entra ID, managed identities and encryption are set here, as Microsoft.Data.SqlClient understands them.
    /// </summary>
    /// <remarks>
    /// <para>Entra ID and managed identities need the package Microsoft.Data.SqlClient.Extensions.Azure beside this one.</para>
    /// <para>Three settings are ours, whatever the string says: connections do not enlist in ambient transactions, don't reconnect by themselves,
    /// and a pool that could not connect is tried again at once (the circuit breaker of <see cref="Calls"/> leaves the server alone).</para>
    /// </remarks>
    [Required]
    public IList<string> ConnectionStrings { get; set; } = [];

    /// <summary>
    /// The schema that holds the tables: a letter or underscore, then at most 63 letters of ASCII, digits and underscores; default
    /// <c>stout</c>. Several sets can share a database, each with a schema of its own.
    /// </summary>
    [Required, RegularExpression("[A-Za-z_][A-Za-z0-9_]{0,63}", ErrorMessage = "The field {0} has to be a letter or underscore, then at most 63 letters, digits and underscores")]
    public string Schema { get; set; } = "stout";

    /// <summary>
    /// Whether a schema that is missing is made when the store is opened: default true. If false, a person has run
    /// <c>deploy/schemas/sqlserver</c> before, and the service needs no right to change schemas.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// Whether a database may be used that commits before the log is on the disk (<c>DELAYED_DURABILITY = FORCED</c>): default false. What
    /// was acknowledged there can be lost with the server.
    /// </summary>
    public bool AllowUnsafeServer { get; set; }

    /// <summary>How dead rows are removed, and how long headers of deleted keys are kept.</summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>
    /// How long a request waits for a lock that another transaction holds: 1 ms to 1 minute, default 100 ms. After that the keys that are
    /// locked are looked for and wait by themselves (<see cref="StoreErrorKind.Busy"/>), and the other keys are written or read at once. A
    /// longer wait delays the neighbors of a locked key each time that it is tried again.
    /// </summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan LockTimeout { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How long calls may take, and when a database that does not answer is left alone.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(SqlServerOptions);

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new SqlServerOptionsValidator(), this);
        // SqlClient reads the strings; the attribute for a length is not safe for trimming.
        if (ConnectionStrings.Count > Slots.Count)
            throw new InvalidOptionException(nameof(ConnectionStrings), $"it must have {Slots.Count} elements at most");
        for (var i = 0; i < Math.Max(1, ConnectionStrings.Count); i++)
            Validate(ConnectionStrings.ElementAtOrDefault(i), FormattableString.Invariant($"{nameof(ConnectionStrings)}:{i}"));
    }

    // The string may hold a password, and SqlClient's own messages quote what they could not read.
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
