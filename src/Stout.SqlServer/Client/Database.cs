using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// One database, as its calls reach it: a pooled connection for each, the time limit and the breaker, and another try for commands that
/// lost to another transaction.
/// </summary>
internal sealed class Database
{
    /// <summary>How often a call is made that goes on losing to others. Between tries another transaction has committed.</summary>
    private const int MaxTries = 10;

    /// <summary>
    /// How many calls run at once, unless the connection string says it: a lane's batches in flight and a few reads. More transactions side
    /// by side make none of them faster.
    /// </summary>
    private const int DefaultMaxPoolSize = 8;

    /// <summary>How long SqlClient's own time limit is behind that of the call: long enough that it hardly ever is the one that ends it.</summary>
    private const int CommandGraceSeconds = 5;

    /// <summary>The time limit of a call is <see cref="SilenceLimit"/>'s; this one bounds an answer that never ends.</summary>
    private static readonly TimeSpan LongestCall = TimeSpan.FromMinutes(10);

    private readonly string _connectionString;
    private readonly StoreCalls _calls;
    private readonly SqlServerOptions _options;

    public Database(string connectionString, SqlServerOptions options)
    {
        _options = options;

        // A network has its own time: a clock that a test moves on by a day must not end the calls that are under way.
        _calls = new StoreCalls(options.Calls with { Timeout = LongestCall }, SqlServerErrors.Classify, TimeProvider.System);
        _connectionString = Complete(connectionString, options.Calls.Timeout);
    }

    /// <summary>The schema that holds the tables.</summary>
    public string Schema => _options.Schema;

    /// <summary>How long a statement waits for a lock.</summary>
    public TimeSpan LockTimeout => _options.LockTimeout;

    /// <summary>The time limit of a call.</summary>
    public TimeSpan Timeout => _options.Calls.Timeout;

    /// <summary>Runs commands on a connection. They run again, from the start, if they lose to another transaction.</summary>
    /// <param name="command">The commands; together they have to be one transaction at most.</param>
    /// <param name="state">Passed to the command.</param>
    /// <param name="cancellationToken">Ends the call; what became of the commands is then unknown.</param>
    /// <exception cref="StoreException">What went wrong.</exception>
    public async ValueTask<TResult> RunAsync<TState, TResult>(
        Func<SqlConnection, TState, CancellationToken, ValueTask<TResult>> command, TState state, CancellationToken cancellationToken)
    {
        var answer = await AskAsync(
            static (connection, x, limit) => x.Command(connection, x.State, limit.Token), (Command: command, State: state), cancellationToken).ConfigureAwait(false);
        return answer.Trouble is { } trouble ? throw trouble.Error : answer.Result;
    }

    /// <summary>The same, for commands on several keys: an error that one of them alone may have caused is an answer.</summary>
    /// <inheritdoc cref="RunAsync{TState, TResult}"/>
    public ValueTask<Answer<TResult>> AskAsync<TState, TResult>(
        Func<SqlConnection, TState, SilenceLimit, ValueTask<TResult>> command, TState state, CancellationToken cancellationToken) =>
        _calls.RunAsync(
            static (x, token) => x.Database.TryAsync(x.Command, x.State, token),
            (Database: this, Command: command, State: state),
            cancellationToken);

    /// <summary>The connection string with what Stout relies on.</summary>
    /// <param name="connectionString">What the user wrote.</param>
    /// <param name="timeout">The time limit of a call.</param>
    internal static string Complete(string connectionString, TimeSpan timeout)
    {
        var builder = new SqlConnectionStringBuilder(connectionString)
        {
            // A transaction of the application that happens to be open is none of ours.
            Enlist = false,

            // Whether a request was sent has to be known: a client that reconnects and repeats by itself hides it.
            ConnectRetryCount = 0,

            // After a failed login the pool would refuse to try again for 5 s and more; the breaker keeps the pace here.
            PoolBlockingPeriod = PoolBlockingPeriod.NeverBlock,
        };
        var seconds = (int)Math.Ceiling(timeout.TotalSeconds);

        // A call ends by its token. SqlClient may lose that cancellation (dotnet/SqlClient#1065, #4435), and then ends the command by itself.
        builder.CommandTimeout = seconds + CommandGraceSeconds;
        builder.ConnectTimeout = builder.ConnectTimeout == 0 ? seconds : Math.Min(builder.ConnectTimeout, seconds);
        if (!builder.ShouldSerialize("Max Pool Size"))
            builder.MaxPoolSize = DefaultMaxPoolSize;
        if (!builder.ShouldSerialize("Application Name"))
            builder.ApplicationName = "Stout";
        return builder.ConnectionString;
    }

    private async ValueTask<Answer<TResult>> TryAsync<TState, TResult>(
        Func<SqlConnection, TState, SilenceLimit, ValueTask<TResult>> command, TState state, CancellationToken caller)
    {
        using var limit = new SilenceLimit(Timeout, TimeProvider.System, caller);
        try
        {
            return await TryAsync(command, state, limit).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not StoreException && limit.Token.IsCancellationRequested && !caller.IsCancellationRequested)
        {
            throw new StoreException(StoreErrorKind.Unknown, "The store did not answer within the time limit.", error);
        }
    }

    private async ValueTask<Answer<TResult>> TryAsync<TState, TResult>(
        Func<SqlConnection, TState, SilenceLimit, ValueTask<TResult>> command, TState state, SilenceLimit limit)
    {
        for (var tries = 1; ; tries++)
        {
            var connection = new SqlConnection(_connectionString);
            await using (connection.ConfigureAwait(false))
            {
                await OpenAsync(connection, limit.Token).ConfigureAwait(false);
                try
                {
                    return new(await command(connection, state, limit).ConfigureAwait(false), null);
                }
                catch (SqlException error) when (!limit.Token.IsCancellationRequested)
                {
                    var trouble = SqlServerErrors.TroubleOf(error, isConnecting: false);
                    if (trouble.NeedsNewConnections)
                        SqlConnection.ClearPool(connection);
                    if (trouble.Repeat && tries < MaxTries)
                        continue;
                    if (!trouble.OfKey)
                        throw;
                    return new(default!, SqlServerErrors.OfKey(error, trouble));
                }
            }
        }
    }

    private static async ValueTask OpenAsync(SqlConnection connection, CancellationToken token)
    {
        try
        {
            await connection.OpenAsync(token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            throw SqlServerErrors.ClassifyConnecting(error);
        }
    }
}
