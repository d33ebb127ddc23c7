using Microsoft.AspNetCore.Mvc;
using ShoppingCart;
using Stout.Documents;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);

// Every replica serves every cart. A change that conflicts with another replica's is made again, on the cart which that replica has stored.
var stout = builder.Services.AddStout().AddCollection("carts", new CollectionOptions<Cart> { OnConflict = OnConflict.Retry });
if (builder.Configuration.GetConnectionString("Carts") is { Length: > 0 } database)
    stout.UsePostgreSql(database); // for any number of replicas of this service
else
    stout.UseSqlite("carts.db"); // for a single process

builder.Services.AddSingleton(TimeProvider.System);
builder.Services.AddHealthChecks().AddStout();
builder.Services.AddStoutProblemDetails();

var app = builder.Build();
app.UseExceptionHandler(new ExceptionHandlerOptions { StatusCodeSelector = static error => (error as BadHttpRequestException)?.StatusCode ?? 500 });
app.MapHealthChecks("/health");

// Reads from the store. So the answer includes all changes, of any replica, that were answered before this request came.
app.MapGet("/carts/{id}", async (string id, DocumentCollection<Cart> carts, CancellationToken gone) => CartAnswer.Of(await carts.GetAsync(id, gone)));

// The answer leaves when the change is durable. If the client goes away earlier, the change is made nevertheless. A request with a key is applied once.
app.MapPost("/carts/{id}/items/{product}", async (
    string id, string product, [FromHeader(Name = "Idempotency-Key")] Guid? request, DocumentCollection<Cart> carts, TimeProvider clock, CancellationToken gone, int quantity = 1) =>
    quantity is < 1 or > 999
        ? Results.Problem("A quantity is 1 to 999.", statusCode: StatusCodes.Status400BadRequest)
        : Results.Ok(CartAnswer.Of(await carts.UpdateAsync(
            id,
            cart => request is { } key ? (cart ?? Cart.Empty).Add(product, quantity, key, clock.GetUtcNow()) : (cart ?? Cart.Empty).Add(product, quantity),
            gone))));

app.MapDelete("/carts/{id}/items/{product}", async (string id, string product, DocumentCollection<Cart> carts, CancellationToken gone) =>
    CartAnswer.Of(await carts.UpdateAsync(id, cart => cart?.Remove(product), gone)));

// Makes an order of the cart's items: a part of the same object, named by the request. So a repeated request gets the same order. If two customers share
// a cart and check out at the same time, only the first one buys it.
app.MapPost("/carts/{id}/checkout", async (string id, [FromHeader(Name = "Idempotency-Key")] Guid? request, DocumentCollection<Cart> carts, CancellationToken gone) =>
{
    var order = $"order/{request ?? Guid.CreateVersion7()}";
    var bought = await carts.ChangeAsync(
        id,
        editor =>
        {
            if (editor[order] is null && editor[""] is { Items.IsEmpty: false } cart)
            {
                editor.Set(order, new Cart(cart.Items));
                editor.Set("", cart with { Items = [] });
            }

            return editor[order];
        },
        gone);
    return bought is null ? Results.Problem("The cart is empty.", statusCode: StatusCodes.Status409Conflict) : Results.Ok(CartAnswer.Of(bought));
});

app.Run();
