using System.Collections.Immutable;
using Stout.Documents;

namespace ShoppingCart;

/// <summary>The items that a customer is about to buy. A cart is immutable: each change makes another one.</summary>
/// <param name="Items">One item for each product, in the order in which the products were added.</param>
/// <param name="Requests">The requests that the items include, so that a repeated request changes nothing.</param>
internal sealed record Cart(ImmutableList<CartItem> Items, AppliedRequests Requests = default)
{
    public static readonly Cart Empty = new([]);

    public Cart Add(string product, int quantity)
    {
        var index = Items.FindIndex(item => item.Product == product);
        return this with
        {
            Items = index < 0
                ? Items.Add(new CartItem(product, quantity))
                : Items.SetItem(index, new CartItem(product, Items[index].Quantity + quantity)),
        };
    }

    public Cart Remove(string product) => this with { Items = Items.RemoveAll(item => item.Product == product) };

    /// <summary>Adds items once, however often the request comes.</summary>
    /// <exception cref="BadHttpRequestException">The request is so old that the cart no longer remembers it.</exception>
    public Cart Add(string product, int quantity, Guid request, DateTimeOffset now) => Requests.Find(request, now) switch
    {
        RequestState.Done => this,
        RequestState.NotDone => Add(product, quantity) with { Requests = Requests.Add(request, now) },
        _ => throw new BadHttpRequestException("The request is too old to be repeated.", StatusCodes.Status409Conflict),
    };
}

/// <summary>A product and its quantity.</summary>
internal sealed record CartItem(string Product, int Quantity);

/// <summary>A cart as a customer sees it.</summary>
internal sealed record CartAnswer(ImmutableList<CartItem> Items)
{
    public static CartAnswer Of(Cart? cart) => new(cart?.Items ?? []);
}
