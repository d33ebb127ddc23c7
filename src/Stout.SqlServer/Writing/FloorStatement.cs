using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;

namespace Stout.SqlServer.Writing;

/// <summary>Raises the epoch floor of a database.</summary>
internal sealed class FloorStatement(Database database)
{
    private const string Epoch = "@epoch";

    private readonly string _text = Layout.In(
        database.Schema,
        StatementStart.With(LockWait.Short, database.LockTimeout) + "UPDATE [stout].[epoch_floor] SET epoch = @epoch WHERE epoch < @epoch;");

    /// <summary>Raises the floor durably to at least the given epoch.</summary>
    /// <exception cref="Stout.Storage.StoreException">The floor could not be raised.</exception>
    public ValueTask<int> RaiseAsync(long epoch, CancellationToken cancellationToken) => database.RunAsync(
        static (connection, x, token) => x.Statement.RunAsync(connection, x.Epoch, token), (Statement: this, Epoch: epoch), cancellationToken);

    private async ValueTask<int> RunAsync(SqlConnection connection, long epoch, CancellationToken token)
    {
        var command = new SqlCommand(_text, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(Epoch, SqlDbType.BigInt).Value = epoch;
            return await command.ExecuteNonQueryAsync(token).ConfigureAwait(false);
        }
    }
}
