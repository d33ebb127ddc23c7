using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Sweeping;

/// <summary>One sweep step over one connection.</summary>
internal sealed class SweepCommand(NpgsqlConnection connection, string schema) : IDisposable
{
    private readonly NpgsqlCommand _command = new($"SELECT removed, finished FROM {SessionSettings.Quote(schema)}.sweep($1, $2)", connection)
    {
        Parameters = { new NpgsqlParameter<int>(), new NpgsqlParameter<TimeSpan> { NpgsqlDbType = NpgsqlDbType.Interval } },
    };

    public void Dispose() => _command.Dispose();

    /// <returns>The number of removed rows, and of generations without remaining rows.</returns>
    public async ValueTask<(int Removed, int Finished)> RunAsync(int most, TimeSpan retention, CancellationToken cancellationToken)
    {
        ((NpgsqlParameter<int>)_command.Parameters[0]).TypedValue = most;
        ((NpgsqlParameter<TimeSpan>)_command.Parameters[1]).TypedValue = retention;
        var answer = await _command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            await answer.ReadAsync(cancellationToken).ConfigureAwait(false);
            var result = (answer.GetInt32(0), answer.GetInt32(1));
            await answer.NextResultAsync(cancellationToken).ConfigureAwait(false);
            return result;
        }
    }
}
