using Stout;
using Stout.Documents;
using Stout.Storage;

namespace Documentation.Examples;

/// <summary>The code of docs/guarantees.md: a caller's reaction to each failure.</summary>
public static class GuaranteesPage
{
    public sealed record Order(string Article, Guid Request);

    #region outcomes
    public enum Outcome
    {
        /// <summary>Durable.</summary>
        Done,

        /// <summary>Nothing has changed: the client may ask again.</summary>
        NotDone,

        /// <summary>It may have changed: ask again only with the same request id.</summary>
        Unknown,
    }

    /// <summary>A change that may be asked for any number of times: the request's id is part of the object.</summary>
    public static async Task<Outcome> OrderAsync(DocumentCollection<Order> orders, string id, Order order)
    {
        try
        {
            await orders.UpdateAsync(id, known => known?.Request == order.Request ? known : order);
            return Outcome.Done;
        }
        catch (OutcomeUnknownException)
        {
            return Outcome.Unknown;
        }
        catch (StoutException error) when (error is NotAppliedException or HandleClosedException or FillFailedException or OverloadException or StoppedException)
        {
            return Outcome.NotDone;
        }
    }
    #endregion

    #region look
    /// <summary>Settles an unknown outcome: the key is filled again, from what the store holds.</summary>
    public static async Task<bool> WasDoneAsync(DocumentCollection<Order> orders, string id, Order order) =>
        (await orders.GetAsync(id))?.Request == order.Request;
    #endregion

    public static async Task<string> RunAsync(IStorageProxy storage)
    {
        await using var store = await DocumentStore.OpenAsync(storage);
        var orders = store.GetCollection<Order>("orders");
        var order = new Order("A pint", Guid.NewGuid());
        var first = await OrderAsync(orders, "1", order);
        var again = await OrderAsync(orders, "1", order);
        var found = await WasDoneAsync(orders, "1", order);
        await store.StopAsync();
        return $"{first}, {again}, {found}, {await OrderAsync(orders, "1", order)}";
    }
}
