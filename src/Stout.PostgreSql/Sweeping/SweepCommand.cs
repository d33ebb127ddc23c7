using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Sweeping;

/// <summary>The sweeper's step over one connection.</summary>
internal sealed class SweepCommand(NpgsqlConnection connection, string schema) : IDisposable
{
    private readonly NpgsqlCommand _command = new($"SELECT {SessionSettings.Quote(schema)}.sweep($1, $2)", connection)
    {
        Parameters = { new NpgsqlParameter<int>(), new NpgsqlParameter<TimeSpan> { NpgsqlDbType = NpgsqlDbType.Interval } },
    };

    public void Dispose() => _command.Dispose();

    /// <returns>Whether there may be more to remove.</returns>
    public async ValueTask<bool> RunAsync(int most, TimeSpan retention, CancellationToken cancellationToken)
    {
        ((NpgsqlParameter<int>)_command.Parameters[0]).TypedValue = most;
        ((NpgsqlParameter<TimeSpan>)_command.Parameters[1]).TypedValue = retention;
        return (bool)(await _command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
    }
}
