using System.Text.Json.Serialization;
using Stout;
using Stout.Documents;
using Stout.Storage;

namespace Documentation.Examples;

/// <summary>The code of docs/typed-layer.md.</summary>
public static partial class TypedLayerPage
{
    #region types
    public sealed record Account(string Owner, decimal Balance);

    [JsonSerializable(typeof(Account))]
    public sealed partial class AccountJson : JsonSerializerContext;
    #endregion

    public static async Task<Account?> OneValueAsync(DocumentStore store)
    {
        #region value
        // Records are never changed in place, so they may be kept as values.
        var accounts = store.GetCollection("accounts", new JsonPartSerializer<Account>(AccountJson.Default.Account, valuesAreImmutable: true));

        await accounts.UpdateAsync("4711", account => account ?? new Account("Ada", 0));
        var after = await accounts.UpdateAsync("4711", account => account! with { Balance = account.Balance + 10 });
        var now = await accounts.GetAsync("4711");
        #endregion

        return now == after ? now : null;
    }

    #region parts
    public static async Task<string> MoveAsync(DocumentCollection<string> documents, string id, string from, string to) =>
        await documents.ChangeAsync(id, document =>
        {
            var text = document[from] ?? throw new KeyNotFoundException("There is no such section."); // Then nothing has changed.
            document.Remove(from);
            document.Set(to, text);
            return text; // Both parts become durable together.
        });

    public static async Task<int> LengthAsync(DocumentCollection<string> documents, string id, string prefix) =>
        await documents.ReadAsync(id, document => document.NamesWithPrefix(prefix).Sum(name => document[name]!.Length));
    #endregion

    public sealed record Stock(int Count);

    public static async Task<int> SellAsync(DocumentStore store)
    {
        #region replicas
        var stock = store.GetCollection("stock", new CollectionOptions<Stock> { OnConflict = OnConflict.Retry });
        var left = await stock.UpdateAsync("4711", item => item is { Count: > 0 } ? item with { Count = item.Count - 1 } : throw new InvalidOperationException("Sold out."));
        #endregion

        return left!.Count;
    }

    public sealed record Session(string User, DateTimeOffset EndsAt);

    public static async Task<Session?> RenewAsync(DocumentStore store, TimeProvider clock)
    {
        #region expiry
        var sessions = store.GetCollection("sessions", new CollectionOptions<Session> { ExpiresAt = session => session.EndsAt });
        var renewed = await sessions.UpdateAsync("4711", session => session is null ? null : session with { EndsAt = clock.GetUtcNow().AddMinutes(20) });
        #endregion

        return renewed;
    }

    #region serializer
    /// <summary>64-bit numbers in eight bytes, instead of JSON.</summary>
    public sealed record Count(long Value);

    public sealed class CountSerializer : IPartSerializer<Count>
    {
        public bool ValuesAreImmutable => true;

        public ReadOnlyMemory<byte> Serialize(Count value) => BitConverter.GetBytes(value.Value);

        public Count Deserialize(ReadOnlyMemory<byte> bytes) => new(BitConverter.ToInt64(bytes.Span));
    }
    #endregion

    #region options
    public static DocumentStoreOptions Options => new()
    {
        MaxCachedObjects = 10_000,
        MaxCachedBytes = 64L << 20,
        Stout = new StoutOptions { OverloadBehavior = OverloadBehavior.Fail, UnreachableTimeout = TimeSpan.FromSeconds(10) },
    };
    #endregion

    public static async Task<string> RunAsync(IStorageProxy storage)
    {
        await using var store = await DocumentStore.OpenAsync(storage, Options);
        var account = await OneValueAsync(store);

        var documents = store.GetCollection<string>("documents");
        await documents.ChangeAsync("tale", document =>
        {
            document.Set("part/1", "Once upon a time");
            return 0;
        });
        await MoveAsync(documents, "tale", "part/1", "part/2");
        var length = await LengthAsync(documents, "tale", "part/");

        var counts = store.GetCollection("counts", new CountSerializer());
        var count = await counts.UpdateAsync("visits", count => new Count((count?.Value ?? 0) + 1));
        return $"{account?.Owner} {account?.Balance}; {length}; {count?.Value}; deleted {await documents.DeleteAsync("tale")}";
    }
}
