using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>Removes what is dead, from time to time and in small batches. Every server of the service does; they don't disturb each other.</summary>
internal sealed class Sweeper : IAsyncDisposable
{
    private const int RowsPerStep = 64;

    private readonly Database _database;
    private readonly TimeProvider _time;
    private readonly TimeSpan _retention;
    private readonly SweepStatement _statement;
    private readonly CancellationTokenSource _stopping = new();
    private readonly PeriodicTimer _timer;
    private readonly Task _sweeping;

    public Sweeper(Database database, SqlServerOptions options, TimeProvider time)
    {
        _database = database;
        _time = time;
        _retention = options.DeletedHeaderRetention;
        _statement = new SweepStatement(database.Schema);
        _timer = new PeriodicTimer(options.SweepInterval, time);
        _sweeping = Task.Run(SweepAsync);
    }

    /// <summary>Removes a few rows.</summary>
    /// <returns>Whether there may be more.</returns>
    /// <exception cref="StoreException">Nothing was removed this time, or it is not known.</exception>
    public async ValueTask<bool> StepAsync(CancellationToken cancellationToken) => await _database.RunAsync(
        static (connection, sweeper, token) => sweeper.ExecuteAsync(connection, token), this, cancellationToken).ConfigureAwait(false) > 0;

    public async ValueTask DisposeAsync()
    {
        _timer.Dispose();
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _sweeping.ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task SweepAsync()
    {
        while (await _timer.WaitForNextTickAsync().ConfigureAwait(false))
        {
            try
            {
                while (!_stopping.IsCancellationRequested && await StepAsync(_stopping.Token).ConfigureAwait(false))
                {
                }
            }
            catch (Exception error) when (error is StoreException or OperationCanceledException)
            {
                // What is dead hurts nobody. It goes at a later tick, when the server is well again.
            }
        }
    }

    private async ValueTask<int> ExecuteAsync(SqlConnection connection, CancellationToken token)
    {
        var command = new SqlCommand(_statement.Text, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(SweepStatement.Rows, SqlDbType.Int).Value = RowsPerStep;
            command.Parameters.Add(SweepStatement.Before, SqlDbType.BigInt).Value = (_time.GetUtcNow() - _retention).ToUnixTimeMilliseconds();
            return (int)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
        }
    }
}
