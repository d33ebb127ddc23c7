#pragma warning disable ORLEANSEXP005 // Orleans' journaling is experimental.
using System.Buffers;
using Npgsql;
using Orleans.Journaling;
using Orleans.Journaling.Json;
using Orleans.Storage;

namespace Stout.Benchmarks.Grains;

/// <summary>
/// Journals of grains in a table of PostgreSQL, by prepared statements. Orleans' journaling has storages for Azure and memory alone, so this one stands in
/// for what an application would write.
/// </summary>
internal sealed class JournalTable(NpgsqlDataSource database) : IJournalStorageProvider
{
    /// <summary>The SQL that creates the table.</summary>
    public const string Script = "CREATE TABLE journals (id text NOT NULL, sequence integer NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (id, sequence))";

    public IJournalStorage CreateStorage(JournalId journalId) => new Journal(database, journalId.Value);

    private sealed class Journal(NpgsqlDataSource database, string id) : IJournalStorage
    {
        /// <summary>The largest number of segments before the journal requests compaction: the same as in Orleans' storage of journals in memory.</summary>
        private const int MostSegments = 10;

        private static readonly JournalMetadata Metadata = new(JsonLinesJournalFormat.JournalFormatKey, null, null);
        private int _segments;
        private int _last;

        public bool IsCompactionRequested => _segments > MostSegments;

        public async ValueTask ReadAsync(IJournalStorageConsumer consumer, CancellationToken cancellationToken)
        {
            List<ReadOnlyMemory<byte>> segments = [];
            await using var command = Command("SELECT sequence, bytes FROM journals WHERE id = $1 ORDER BY sequence");
            await using (var reader = await command.ExecuteReaderAsync(cancellationToken))
            {
                while (await reader.ReadAsync(cancellationToken))
                {
                    _last = reader.GetInt32(0);
                    segments.Add(reader.GetFieldValue<byte[]>(1));
                }
            }

            _segments = segments.Count;
            consumer.Read(segments, segments.Count > 0 ? Metadata : JournalMetadata.Empty, complete: true);
        }

        public async ValueTask AppendAsync(ReadOnlySequence<byte> value, CancellationToken cancellationToken)
        {
            await WriteAsync("INSERT INTO journals (id, sequence, bytes) VALUES ($1, $2, $3)", value, cancellationToken);
            _segments++;
        }

        public async ValueTask ReplaceAsync(ReadOnlySequence<byte> value, CancellationToken cancellationToken)
        {
            await WriteAsync(
                "WITH gone AS (DELETE FROM journals WHERE id = $1 AND sequence < $2) INSERT INTO journals (id, sequence, bytes) VALUES ($1, $2, $3)",
                value,
                cancellationToken);
            _segments = 1;
        }

        public async ValueTask DeleteAsync(CancellationToken cancellationToken)
        {
            await using var command = Command("DELETE FROM journals WHERE id = $1");
            await command.ExecuteNonQueryAsync(cancellationToken);
            (_segments, _last) = (0, 0);
        }

        private async ValueTask WriteAsync(string sql, ReadOnlySequence<byte> value, CancellationToken cancellationToken)
        {
            await using var command = Command(sql);
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = _last + 1 });
            command.Parameters.Add(new NpgsqlParameter<byte[]> { TypedValue = value.ToArray() });
            try
            {
                await command.ExecuteNonQueryAsync(cancellationToken);
            }
            catch (PostgresException error) when (error.SqlState == PostgresErrorCodes.UniqueViolation)
            {
                throw new InconsistentStateException("The journal was written elsewhere.", error);
            }

            _last++;
        }

        private NpgsqlCommand Command(string sql)
        {
            var command = database.CreateCommand(sql);
            command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = id });
            return command;
        }
    }
}
