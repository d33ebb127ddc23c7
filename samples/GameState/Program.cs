using GameState;
using Stout.Documents;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);
builder.Services.AddStout().UseSqlite("game.db").AddCollection<PlayerPart>("players").AddCollection<Tally>("raids");
builder.Services.AddHostedService<Bots>();
builder.Services.AddHealthChecks().AddStout();
builder.Services.AddStoutProblemDetails();

var app = builder.Build();
app.UseExceptionHandler(new ExceptionHandlerOptions { StatusCodeSelector = static error => (error as BadHttpRequestException)?.StatusCode ?? 500 });
app.MapHealthChecks("/health");
app.MapGet("/figures", static (DocumentStore store) =>
{
    var now = store.GetStatistics();
    return new { now.Changes, ObjectsWritten = now.KeysWritten, now.WriteRequests };
});

app.MapPost("/players/{id}/steps", static async (string id, int dx, int dy, DocumentCollection<PlayerPart> players, CancellationToken gone) =>
    dx is < -10 or > 10 || dy is < -10 or > 10
        ? Results.Problem("A step is at most 10 long.", statusCode: StatusCodes.Status400BadRequest)
        : Results.Ok(await players.MoveAsync(id, dx, dy, gone)));

app.MapPost("/players/{id}/bag/{thing}", static (string id, string thing, DocumentCollection<PlayerPart> players, CancellationToken gone) =>
    players.TakeAsync(id, thing, gone));

app.MapGet("/players/{id}", static async (string id, DocumentCollection<PlayerPart> players, CancellationToken gone) =>
    await players.ShowAsync(id, gone) is { } sheet ? Results.Ok(sheet) : Results.NotFound());

// Lists the ids of the players in the store. The answer is streamed: each page of ids is sent when the store has returned it.
app.MapGet("/players", static (DocumentCollection<PlayerPart> players, CancellationToken gone, string prefix = "") => players.ListAsync(prefix, gone));

app.MapPut("/raids/{id}", static async (string id, long health, DocumentCollection<Tally> raids, CancellationToken gone) =>
{
    await raids.BeginAsync(id, health, gone);
    return Results.NoContent();
});

app.MapPost("/raids/{id}/attacks/{player}", static async (string id, string player, int damage, DocumentCollection<Tally> raids, CancellationToken gone) =>
    damage < 1 ? Results.Problem("Damage is 1 or more.", statusCode: StatusCodes.Status400BadRequest)
    : await raids.AttackAsync(id, player, damage, gone) is { } health ? Results.Ok(new { health })
    : Results.Problem("There is no such raid, or it is over.", statusCode: StatusCodes.Status409Conflict));

app.MapGet("/raids/{id}", static async (string id, DocumentCollection<Tally> raids, CancellationToken gone) =>
    await raids.ShowAsync(id, gone) is { } board ? Results.Ok(board) : Results.NotFound());

app.Run();
