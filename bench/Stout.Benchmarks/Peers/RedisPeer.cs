using StackExchange.Redis;

namespace Stout.Benchmarks.Peers;

/// <summary>Redis by StackExchange.Redis: one connection, on which the requests of all writers are pipelined.</summary>
internal sealed class RedisPeer : IPeer
{
    private readonly ConnectionMultiplexer _connection;
    private readonly IDatabase _database;

    private RedisPeer(ConnectionMultiplexer connection, string durability)
    {
        (_connection, Durability) = (connection, durability);
        _database = connection.GetDatabase();
    }

    public string Durability { get; }

    /// <exception cref="InvalidOperationException">The server acknowledges writes that it has not synced.</exception>
    public static async Task<IPeer> OpenAsync(string server)
    {
        // StackExchange.Redis sends CONFIG GET only with AllowAdmin.
        var connection = await ConnectionMultiplexer.ConnectAsync(server, static options => options.AllowAdmin = true);
        var (isOn, sync) = (await SettingAsync("appendonly"), await SettingAsync("appendfsync"));
        return (isOn, sync) == ("yes", "always")
            ? new RedisPeer(connection, "appendonly yes, appendfsync always: the append-only file is synced before the reply")
            : throw new InvalidOperationException($"appendonly {isOn} and appendfsync {sync} are not durable before the reply.");

        async Task<string?> SettingAsync(string name) =>
            (string?)((RedisResult[])(await connection.GetDatabase().ExecuteAsync("CONFIG", "GET", name))!)[1];
    }

    public async ValueTask WriteAsync(Player player) => await _database.StringSetAsync(player.Id, player.ToBytes());

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
