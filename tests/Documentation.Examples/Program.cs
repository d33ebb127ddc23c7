#region notes
using Stout.Documents;
using Stout.Sqlite;

await using var store = await DocumentStore.OpenAsync(new SqliteStorage("notes.db"));
var notes = store.GetCollection<Note>("notes");

// Returns when the change is durable. Changes that come meanwhile share one write.
await notes.UpdateAsync("shopping", note => new Note("Milk", Edits: (note?.Edits ?? 0) + 1));

// Waits until the value is durable: no reader learns of a change that could still be lost.
Console.WriteLine(await notes.GetAsync("shopping"));

sealed record Note(string Text, int Edits); // Sealed and immutable: kept in memory as it is, not deserialized for each read.
#endregion
