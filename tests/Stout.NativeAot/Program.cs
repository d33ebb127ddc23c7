using System.Text.Json.Serialization;
using Stout.Documents;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.Storage;

// Stout.NativeAot sqlite FILE | postgresql CONNECTION-STRING: changes a note, opens the store anew, and reads the note.
if (args is not [var kind, var place])
{
    Console.Error.WriteLine("Usage: Stout.NativeAot sqlite FILE | postgresql CONNECTION-STRING");
    return 2;
}

await using (var store = await DocumentStore.OpenAsync(Storage()))
{
    var notes = store.GetCollection("notes", new JsonPartSerializer<Note>(NoteJson.Default.Note));
    await notes.UpdateAsync("shopping", note => new Note("Milk", (note?.Edits ?? 0) + 1));
}

await using (var store = await DocumentStore.OpenAsync(Storage()))
{
    var notes = store.GetCollection("notes", new JsonPartSerializer<Note>(NoteJson.Default.Note));
    Console.WriteLine(await notes.GetAsync("shopping"));
}

return 0;

IStorageProxy Storage() => kind switch
{
    "sqlite" => new SqliteStorage(place),
    "postgresql" => new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = { place } }),
    _ => throw new ArgumentException($"There is no store named {kind} here."),
};

internal sealed record Note(string Text, int Edits);

[JsonSerializable(typeof(Note))]
internal sealed partial class NoteJson : JsonSerializerContext;
