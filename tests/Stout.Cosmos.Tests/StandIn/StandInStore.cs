using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Microsoft.Azure.Cosmos;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>One request, as a test sees it.</summary>
/// <param name="Kind">The kind: read, query, create, upsert, replace, delete, patch, batch, container or account.</param>
/// <param name="Operations">The operations of a batch; 1 otherwise.</param>
internal sealed record StandInRequest(string Kind, int Operations = 1);

/// <summary>
/// Stands in for the service in memory, with ETags, status codes, sizes and times to live as documented, and with transactional batches that are
/// applied whole or not at all. Other behavior of the real service is missing.
/// </summary>
internal sealed class StandInStore(TimeProvider time)
{
    /// <summary>The most bytes of a request and of an item.</summary>
    public const int MaxBytes = 2 * 1024 * 1024;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, SortedList<string, StoredDocument>> _partitions = [];
    private long _lastETag;

    /// <summary>Every request, in the order in which they came.</summary>
    public List<StandInRequest> Requests { get; } = [];

    /// <summary>Called with a request's kind before it arrives. The request waits for the task.</summary>
    public Func<string, Task>? OnTheWay { get; set; }

    /// <summary>Returns the answer to a request; null carries the request out.</summary>
    public Func<StandInRequest, Trouble?>? OnRequest { get; set; }

    /// <summary>The most items on one page of a query.</summary>
    public int PageSize { get; set; } = int.MaxValue;

    public string Consistency { get; set; } = "BoundedStaleness";

    public string[] WriteRegions { get; set; } = ["one"];

    public ContainerProperties Properties { get; } = new("stout", "/pk") { DefaultTimeToLive = -1 };

    /// <summary>The container's size in kilobytes, as the service states it.</summary>
    public long Kilobytes { get; set; }

    /// <summary>The ids of all items that have not expired.</summary>
    public IReadOnlyList<string> Ids
    {
        get
        {
            lock (_lock)
                return [.. _partitions.Values.SelectMany(items => items.Values).Where(item => !item.IsExpired(time.GetUtcNow())).Select(item => item.Id)];
        }
    }

    /// <summary>Overwrites a property of a key's header with a value that can't be decoded.</summary>
    public void Damage(string key, string property)
    {
        var id = Stout.Cosmos.Items.ItemIds.HeaderOf(Stout.Cosmos.Items.ItemIds.EncodeKey(new Stout.PartitionKey(key)));
        lock (_lock)
        {
            var partition = _partitions.Single(items => items.Value.ContainsKey(id)).Key;
            Change(partition, id, item => item[property] = "nonsense");
        }
    }

    /// <summary>Changes an item without any client's knowledge.</summary>
    public void Change(string partition, string id, Action<JsonNode> change)
    {
        lock (_lock)
        {
            var json = JsonNode.Parse(_partitions[partition][id].Sent)!;
            change(json);
            Execute(partition, [new BatchOperation(BatchVerb.Replace, id, Encoding.UTF8.GetBytes(json.ToJsonString()), null)]);
        }
    }

    /// <summary>Changes items of a key as another program would, which may write anything but the id and the partition key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="change">Changes one item.</param>
    public void Rewrite(string key, Action<JsonObject> change)
    {
        var prefix = Stout.Cosmos.Items.ItemIds.PrefixOf(Stout.Cosmos.Items.ItemIds.EncodeKey(new Stout.PartitionKey(key)));
        lock (_lock)
        {
            foreach (var (partition, items) in _partitions)
            {
                foreach (var item in items.Values.Where(item => item.Id.StartsWith(prefix, StringComparison.Ordinal)).ToList())
                {
                    var json = JsonNode.Parse(item.Sent)!.AsObject();
                    change(json);
                    Execute(partition, [new BatchOperation(BatchVerb.Replace, item.Id, Encoding.UTF8.GetBytes(json.ToJsonString()), null)]);
                }
            }
        }
    }

    public void Remove(string partition, string id)
    {
        lock (_lock)
            Assert.True(_partitions[partition].Remove(id));
    }

    /// <summary>Records a request.</summary>
    /// <returns>The scripted answer, or null.</returns>
    public Trouble? Note(StandInRequest request)
    {
        lock (_lock)
        {
            Requests.Add(request);
            var trouble = OnRequest?.Invoke(request);
            return trouble is { Error: { } error, IsApplied: false } ? throw error : trouble;
        }
    }

    public StoredDocument? Find(string partition, string id)
    {
        lock (_lock)
            return FindLocked(partition, id);
    }

    /// <summary>The items whose ids begin with a prefix, in the order of their ids.</summary>
    /// <param name="partition">The logical partition.</param>
    /// <param name="prefix">The prefix.</param>
    /// <param name="after">The id after which the items begin.</param>
    public IReadOnlyList<StoredDocument> Find(string partition, string prefix, string after)
    {
        lock (_lock)
        {
            var found = new List<StoredDocument>();
            if (!_partitions.TryGetValue(partition, out var items))
                return found;
            var now = time.GetUtcNow();
            for (var i = FirstFrom(items, prefix); i < items.Count && items.Keys[i].StartsWith(prefix, StringComparison.Ordinal); i++)
            {
                if (!items.Values[i].IsExpired(now) && string.CompareOrdinal(items.Keys[i], after) > 0)
                    found.Add(items.Values[i]);
            }

            return found;
        }
    }

    /// <summary>
    /// Sets a property of an item if the item satisfies one of the proxy's predicates. A predicate requires a certain owner, or no owner, and possibly that
    /// the key has no object.
    /// </summary>
    public (HttpStatusCode Status, StoredDocument? Item) Patch(string partition, string id, PatchOperation<string> change, string predicate, string? etag)
    {
        lock (_lock)
        {
            if (FindLocked(partition, id) is not { } item)
                return (HttpStatusCode.NotFound, null);
            var json = JsonNode.Parse(item.Sent)!;
            Assert.Matches("^FROM c WHERE (NOT IS_DEFINED\\(c\\.o\\)|c\\.o = \"[0-9a-f]{48}\")( AND NOT IS_DEFINED\\(c\\.x\\))?$", predicate);
            var ofOwner = (string?)json["o"] is { } owner ? $"FROM c WHERE c.o = \"{owner}\"" : "FROM c WHERE NOT IS_DEFINED(c.o)";
            var isMet = predicate == ofOwner || (predicate == ofOwner + " AND NOT IS_DEFINED(c.x)" && !json.AsObject().ContainsKey("x"));
            if (!isMet || (etag is not null && etag != item.ETag))
                return (HttpStatusCode.PreconditionFailed, null);
            json[change.Path.TrimStart('/')] = change.Value;
            var operation = new BatchOperation(BatchVerb.Replace, id, Encoding.UTF8.GetBytes(json.ToJsonString()), null);
            return (Execute(partition, [operation]).Single().Status, FindLocked(partition, id));
        }
    }

    /// <summary>Carries out all operations, or leaves all items unchanged.</summary>
    /// <returns>The results of the operations. If an operation fails, its result is the last.</returns>
    public IReadOnlyList<(HttpStatusCode Status, string? ETag)> Execute(string partition, IReadOnlyList<BatchOperation> operations)
    {
        lock (_lock)
        {
            if (!_partitions.TryGetValue(partition, out var items))
                _partitions[partition] = items = new SortedList<string, StoredDocument>(StringComparer.Ordinal);
            var answers = new List<(HttpStatusCode Status, string? ETag)>();
            var undo = new Stack<(string Id, StoredDocument? Before)>();
            foreach (var operation in operations)
            {
                var next = operation.Verb == BatchVerb.Delete
                    ? null
                    : StoredDocument.Of(operation.Body, $"\"{++_lastETag:x8}\"", partition, time.GetUtcNow());
                var id = next?.Id ?? operation.Id!;
                var before = FindLocked(partition, id);
                if (Judge(operation, before) is { } failure)
                {
                    answers.Add((failure, null));
                    foreach (var (changed, old) in undo)
                        Set(items, changed, old);
                    return answers;
                }

                undo.Push((id, before));
                Set(items, id, next);
                answers.Add((next is null ? HttpStatusCode.NoContent : HttpStatusCode.OK, next?.ETag));
            }

            return answers;
        }
    }

    private static int FirstFrom(SortedList<string, StoredDocument> items, string id)
    {
        var (low, high) = (0, items.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = string.CompareOrdinal(items.Keys[middle], id) < 0 ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    private static HttpStatusCode? Judge(BatchOperation operation, StoredDocument? before)
    {
        if (operation.Body.Length > MaxBytes)
            return HttpStatusCode.RequestEntityTooLarge;
        return operation.Verb switch
        {
            BatchVerb.Create when before is not null => HttpStatusCode.Conflict,
            BatchVerb.Replace or BatchVerb.Delete when before is null => HttpStatusCode.NotFound,
            BatchVerb.Replace or BatchVerb.Delete when operation.ETag is { } etag && etag != before!.ETag => HttpStatusCode.PreconditionFailed,
            _ => null,
        };
    }

    private static void Set(SortedList<string, StoredDocument> items, string id, StoredDocument? item)
    {
        if (item is null)
            items.Remove(id);
        else
            items[id] = item;
    }

    private StoredDocument? FindLocked(string partition, string id) =>
        _partitions.TryGetValue(partition, out var items) && items.TryGetValue(id, out var item) && !item.IsExpired(time.GetUtcNow()) ? item : null;
}
