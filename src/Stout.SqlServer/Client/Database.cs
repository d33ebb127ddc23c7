using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Runs calls to one database. Each call gets a pooled connection and a time limit; all calls share a circuit breaker. Commands whose transaction lost to
/// another one, such as in a deadlock, are run again.
/// </summary>
internal sealed class Database
{
    /// <summary>
    /// The most attempts of a call whose transaction keeps losing to others, such as in deadlocks. Each loss lets another transaction commit.
    /// </summary>
    private const int MaxTries = 10;

    /// <summary>
    /// The pool's size unless the connection string sets it: enough for a lane's batches in flight and a few reads. More concurrent transactions would slow
    /// each other down.
    /// </summary>
    private const int DefaultMaxPoolSize = 8;

    /// <summary>The seconds by which SqlClient's own time limit exceeds the call's limit, so that SqlClient's limit almost never ends a call.</summary>
    private const int CommandGraceSeconds = 5;

    /// <summary>
    /// The longest time of a call, for an answer whose rows never end. Usually <see cref="SilenceLimit"/>, which each row restarts, ends a call earlier.
    /// </summary>
    private static readonly TimeSpan LongestCall = TimeSpan.FromMinutes(10);

    private readonly string _connectionString;
    private readonly StoreCalls _calls;
    private readonly SqlServerOptions _options;

    public Database(string connectionString, SqlServerOptions options)
    {
        _options = options;

        // Calls use the system's clock: a test that moves its clock by a day must not end running calls.
        _calls = new StoreCalls(options.Calls with { Timeout = LongestCall }, SqlServerErrors.Classify, TimeProvider.System);
        _connectionString = Complete(connectionString, options.Calls.Timeout);
    }

    /// <summary>The schema of the tables.</summary>
    public string Schema => _options.Schema;

    /// <summary>The longest wait of a statement for a lock.</summary>
    public TimeSpan LockTimeout => _options.LockTimeout;

    /// <summary>The time limit of a call.</summary>
    public TimeSpan Timeout => _options.Calls.Timeout;

    /// <summary>Runs commands on a connection, and runs them again from the start if their transaction loses to another one.</summary>
    /// <param name="command">The commands; together at most one transaction.</param>
    /// <param name="state">Passed to the command.</param>
    /// <param name="cancellationToken">Ends the call; the commands' outcome is then unknown.</param>
    /// <exception cref="StoreException">The call failed.</exception>
    public async ValueTask<TResult> RunAsync<TState, TResult>(
        Func<SqlConnection, TState, CancellationToken, ValueTask<TResult>> command, TState state, CancellationToken cancellationToken)
    {
        var answer = await AskAsync(
            static (connection, x, limit) => x.Command(connection, x.State, limit.Token), (Command: command, State: state), cancellationToken).ConfigureAwait(false);
        return answer.Trouble is { } trouble ? throw trouble.Error : answer.Result;
    }

    /// <summary>Runs commands on several keys. An error that one key alone may have caused is returned in <c>Trouble</c>, not thrown.</summary>
    /// <inheritdoc cref="RunAsync{TState, TResult}"/>
    public ValueTask<Answer<TResult>> AskAsync<TState, TResult>(
        Func<SqlConnection, TState, SilenceLimit, ValueTask<TResult>> command, TState state, CancellationToken cancellationToken) =>
        _calls.RunAsync(
            static (x, token) => x.Database.TryAsync(x.Command, x.State, token),
            (Database: this, Command: command, State: state),
            cancellationToken);

    /// <summary>Adds the settings that the store relies on to a connection string.</summary>
    /// <param name="connectionString">The user's connection string.</param>
    /// <param name="timeout">The time limit of a call.</param>
    internal static string Complete(string connectionString, TimeSpan timeout)
    {
        var builder = new SqlConnectionStringBuilder(connectionString)
        {
            // The store must not join a transaction that the application has open.
            Enlist = false,

            // The store must know whether a request was sent; an automatic reconnect would hide that.
            ConnectRetryCount = 0,

            // After a failed login the pool would refuse to connect for 5 s and more; the circuit breaker limits attempts here.
            PoolBlockingPeriod = PoolBlockingPeriod.NeverBlock,
        };
        var seconds = (int)Math.Ceiling(timeout.TotalSeconds);

        // The token ends a call. SqlClient may lose that cancellation (dotnet/SqlClient#1065, #4435), and then this limit ends the command.
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
        var isUncertain = false;
        for (var tries = 1; ; tries++)
        {
            var connection = new SqlConnection(_connectionString);
            await using (connection.ConfigureAwait(false))
            {
                await OpenAsync(connection, isUncertain, limit.Token).ConfigureAwait(false);
                try
                {
                    return new(await command(connection, state, limit).ConfigureAwait(false), null);
                }
                catch (SqlException error) when (!limit.Token.IsCancellationRequested)
                {
                    var trouble = SqlServerErrors.TroubleOf(error, isConnecting: false);
                    if (trouble.NeedsNewConnections)
                        SqlConnection.ClearPool(connection);
                    isUncertain |= !trouble.IsCertain;
                    if (trouble.Repeat && tries < MaxTries)
                        continue;
                    if (!trouble.OfKey)
                        throw;
                    return new(default!, SqlServerErrors.OfKey(error, trouble));
                }
            }
        }
    }

    private static async ValueTask OpenAsync(SqlConnection connection, bool isUncertain, CancellationToken token)
    {
        try
        {
            await connection.OpenAsync(token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            var connecting = SqlServerErrors.ClassifyConnecting(error);
            throw isUncertain ? SqlServerErrors.AfterUncertainAttempt(connecting) : connecting;
        }
    }
}
