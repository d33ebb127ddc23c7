#region board
using Stout.Documents;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddStout().UseSqlite("board.db").AddCollection<Note>("notes");
builder.Services.AddHealthChecks().AddStout();
builder.Services.AddStoutProblemDetails(); // The answers to failures.

var app = builder.Build();
app.UseExceptionHandler(new ExceptionHandlerOptions { StatusCodeSelector = static error => (error as BadHttpRequestException)?.StatusCode ?? 500 });
app.MapHealthChecks("/health");

// The answer leaves when the change is durable.
app.MapPut("/notes/{id}", (string id, Draft draft, DocumentCollection<Note> notes) =>
    notes.UpdateAsync(id, note => new Note(draft.Text, Edits: (note?.Edits ?? 0) + 1)));

app.MapGet("/notes/{id}", async (string id, DocumentCollection<Note> notes, CancellationToken gone) =>
    await notes.GetAsync(id, gone) is { } note ? Results.Ok(note) : Results.NotFound());

app.Run();

sealed record Draft(string Text);

sealed record Note(string Text, int Edits);
#endregion
