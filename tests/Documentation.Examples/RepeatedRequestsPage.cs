using System.Collections.Immutable;
using Stout;
using Stout.Documents;
using Stout.Storage;

namespace Documentation.Examples;

/// <summary>The code of docs/repeated-requests.md.</summary>
public static class RepeatedRequestsPage
{
    #region order
    public sealed record Order(ImmutableList<string> Articles, AppliedRequests Requests = default);

    /// <summary>Adds an article once, however often the request comes. The client makes its id, with Guid.CreateVersion7().</summary>
    /// <returns>Done; or Unknown for a request so old that the object no longer remembers it.</returns>
    public static async Task<RequestState> AddAsync(DocumentCollection<Order> orders, string id, string article, Guid request, TimeProvider clock) =>
        await orders.ChangeAsync(id, editor =>
        {
            var (order, now) = (editor[""] ?? new Order([]), clock.GetUtcNow());
            var state = order.Requests.Find(request, now);
            if (state != RequestState.NotDone)
                return state;
            editor.Set("", new Order(order.Articles.Add(article), order.Requests.Add(request, now)));
            return RequestState.Done; // Article and id become durable together.
        });
    #endregion

    #region client
    /// <summary>The client's side: repeats a request, and knows at the end how it stands.</summary>
    public static async Task<RequestState> RepeatAsync(Func<Task<RequestState>> request, int attempts)
    {
        var state = RequestState.NotDone;
        for (var attempt = 0; attempt < attempts && state != RequestState.Done; attempt++)
        {
            try
            {
                state = await request();
            }
            catch (OutcomeUnknownException)
            {
                state = RequestState.Unknown;
            }
            catch (StoutException)
            {
                // This attempt has changed nothing. After an unknown one the state stays unknown.
            }
        }

        return state;
    }
    #endregion

    #region look
    /// <summary>Done is final. After an unknown outcome, NotDone is not: the change may still reach the store. Only a repeated request settles it.</summary>
    public static async Task<RequestState> FindAsync(DocumentCollection<Order> orders, string id, Guid request, TimeProvider clock) =>
        ((await orders.GetAsync(id))?.Requests ?? default).Find(request, clock.GetUtcNow());
    #endregion

    public static async Task<string> RunAsync(IStorageProxy storage)
    {
        await using var store = await DocumentStore.OpenAsync(storage);
        var orders = store.GetCollection<Order>("orders");
        var (request, other, clock) = (Guid.CreateVersion7(), Guid.CreateVersion7(), TimeProvider.System);
        var first = await RepeatAsync(() => AddAsync(orders, "1", "a pint", request, clock), 1);
        var second = await RepeatAsync(() => AddAsync(orders, "1", "crisps", other, clock), 1);
        var again = await RepeatAsync(() => AddAsync(orders, "1", "a pint", request, clock), 1);
        var found = await FindAsync(orders, "1", other, clock);
        var articles = string.Join(", ", (await orders.GetAsync("1"))!.Articles);
        await store.StopAsync();
        return $"{first}, {second}, {again}, {found}: {articles}; {await RepeatAsync(() => AddAsync(orders, "1", "nuts", Guid.CreateVersion7(), clock), 1)}";
    }
}
