#region board
using Stout;
using Stout.Documents;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddStout().UseSqlite("board.db").AddCollection<Note>("notes");
builder.Services.AddHealthChecks().AddStout();
builder.Services.AddProblemDetails();

var app = builder.Build();
// A client can correct an error of its request. After a failure of the store it may try again.
app.UseExceptionHandler(new ExceptionHandlerOptions
{
    StatusCodeSelector = StatusOf,
    SuppressDiagnosticsCallback = static context => StatusOf(context.Exception) < 500, // A client's error is not logged as the service's.
});
app.MapHealthChecks("/health");

// The answer leaves when the change is durable.
app.MapPut("/notes/{id}", (string id, Draft draft, DocumentCollection<Note> notes) =>
    notes.UpdateAsync(id, note => new Note(draft.Text, Edits: (note?.Edits ?? 0) + 1)));

app.MapGet("/notes/{id}", async (string id, DocumentCollection<Note> notes, CancellationToken gone) =>
    await notes.GetAsync(id, gone) is { } note ? Results.Ok(note) : Results.NotFound());

app.Run();

static int StatusOf(Exception error) => error switch
{
    BadHttpRequestException bad => bad.StatusCode,
    InvalidKeyException or ChangeTooLargeException or ObjectTooLargeException => StatusCodes.Status400BadRequest,
    StoutException => StatusCodes.Status503ServiceUnavailable,
    _ => StatusCodes.Status500InternalServerError,
};

record Draft(string Text);

record Note(string Text, int Edits);
#endregion
