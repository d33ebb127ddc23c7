using System.Collections.Immutable;

namespace ShoppingCart;

/// <summary>The items that a customer is about to buy. A cart is immutable: each change makes another one.</summary>
/// <param name="Items">One item for each product, in the order in which the products were added.</param>
internal sealed record Cart(ImmutableList<CartItem> Items)
{
    public static readonly Cart Empty = new([]);

    public Cart Add(string product, int quantity)
    {
        var index = Items.FindIndex(item => item.Product == product);
        return new Cart(index < 0
            ? Items.Add(new CartItem(product, quantity))
            : Items.SetItem(index, new CartItem(product, Items[index].Quantity + quantity)));
    }

    public Cart Remove(string product) => new(Items.RemoveAll(item => item.Product == product));
}

/// <summary>A product and its quantity.</summary>
internal sealed record CartItem(string Product, int Quantity);
