using Stout.Documents;
using Stout.Storage;

namespace Documentation.Examples;

/// <summary>The code of docs/troubleshooting.md.</summary>
public static class TroubleshootingPage
{
    #region statistics
    public static string Describe(DocumentStore store)
    {
        var now = store.GetStatistics();
        return $"""
            interval           {now.Interval.TotalMilliseconds} ms, limit {now.Limit}, phase {now.Phase}
            changes            {now.Changes}
            keys written       {now.KeysWritten} in {now.WriteRequests} requests
            undurable now      {now.DirtyKeys} keys, {now.WaitingMessages} messages, {now.RequestsInFlight} requests in flight
            failed keys        {now.KeysFailed}
            store failing      {now.StoreFailing}
            """;
    }
    #endregion

    public static async Task<string> RunAsync(IStorageProxy storage)
    {
        await using var store = await DocumentStore.OpenAsync(storage);
        await store.GetCollection<string>("notes").UpdateAsync("1", _ => "Milk");
        return Describe(store).ReplaceLineEndings("\n");
    }
}
