using ShoppingCart;
using Stout;
using Stout.Documents;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);

// Every replica serves every cart. A change that conflicts with another replica's is made again, on the cart which that replica has stored.
var stout = builder.Services.AddStout().AddCollection("carts", new CollectionOptions<Cart> { OnConflict = OnConflict.Retry });
if (builder.Configuration.GetConnectionString("Carts") is { Length: > 0 } database)
    stout.UsePostgreSql(database); // for any number of replicas of this service
else
    stout.UseSqlite("carts.db"); // for a single process

builder.Services.AddHealthChecks().AddStout();
builder.Services.AddProblemDetails();

var app = builder.Build();
app.UseExceptionHandler(new ExceptionHandlerOptions
{
    StatusCodeSelector = StatusOf,
    SuppressDiagnosticsCallback = static context => StatusOf(context.Exception) < 500, // An error of a client is not logged as an error of the service.
});
app.MapHealthChecks("/health");

// Reads from the store. So the answer includes all changes, of any replica, that were answered before this request came.
app.MapGet("/carts/{id}", async (string id, DocumentCollection<Cart> carts, CancellationToken gone) =>
    await carts.GetAsync(id, gone) ?? Cart.Empty);

// The answer leaves when the change is durable. If the client goes away earlier, the change is made nevertheless.
app.MapPost("/carts/{id}/items/{product}", async (string id, string product, DocumentCollection<Cart> carts, CancellationToken gone, int quantity = 1) =>
    quantity is < 1 or > 999
        ? Results.Problem("A quantity is 1 to 999.", statusCode: StatusCodes.Status400BadRequest)
        : Results.Ok(await carts.UpdateAsync(id, cart => (cart ?? Cart.Empty).Add(product, quantity), gone)));

app.MapDelete("/carts/{id}/items/{product}", async (string id, string product, DocumentCollection<Cart> carts, CancellationToken gone) =>
    await carts.UpdateAsync(id, cart => cart?.Remove(product), gone) ?? Cart.Empty);

// Takes the cart and deletes it. If two customers share a cart and check out at the same time, only the first one buys it.
app.MapPost("/carts/{id}/checkout", async (string id, DocumentCollection<Cart> carts, CancellationToken gone) =>
{
    var bought = await carts.ChangeAsync(
        id,
        static cart =>
        {
            var items = cart[""];
            cart.Delete();
            return items;
        },
        gone);
    return bought is { Items.Count: > 0 } ? Results.Ok(bought) : Results.Problem("The cart is empty.", statusCode: StatusCodes.Status409Conflict);
});

app.Run();

static int StatusOf(Exception error) => error switch
{
    BadHttpRequestException bad => bad.StatusCode,
    InvalidKeyException => StatusCodes.Status400BadRequest,
    OutcomeUnknownException => StatusCodes.Status504GatewayTimeout, // The change may have been made: the client reads the cart before it repeats the request.
    StoutException => StatusCodes.Status503ServiceUnavailable, // Nothing was changed: the client may repeat the request.
    _ => StatusCodes.Status500InternalServerError,
};
