using BenchmarkDotNet.Attributes;
using Stout.Documents;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Benchmarks.Micro;

/// <summary>
/// Measures changes through the typed layer until they are durable in the store in memory, for each serializer. Changes 256 documents at a time.
/// </summary>
[MemoryDiagnoser]
public class DocumentBenchmarks
{
    private const int Documents = 256;

    private readonly string[] _ids = [.. Enumerable.Range(0, Documents).Select(i => $"{i:D6}")];
    private readonly Task[] _changes = new Task[Documents];
    private readonly byte[][] _bytes = [new byte[200], new byte[200]];
    private readonly string[] _texts = [new('a', 200), new('b', 200)];
    private readonly Note[] _notes = [new(new('a', 200), 1), new(new('b', 200), 2)];
    private DocumentStore _store = null!;
    private DocumentCollection<byte[]> _ofBytes = null!;
    private DocumentCollection<string> _ofTexts = null!;
    private DocumentCollection<Note> _ofNotes = null!;
    private int _turn;

    /// <summary>Opens the collections.</summary>
    [GlobalSetup]
    public async Task Setup()
    {
        var options = new DocumentStoreOptions { Stout = new StoutOptions { Pacing = PacingLaws.NoBatching() } };
        _store = await DocumentStore.OpenAsync(new InMemoryStore(), options);
        (_ofBytes, _ofTexts, _ofNotes) = (_store.GetCollection<byte[]>("bytes"), _store.GetCollection<string>("texts"), _store.GetCollection<Note>("notes"));
    }

    /// <summary>Closes the store.</summary>
    [GlobalCleanup]
    public async Task Cleanup() => await _store.DisposeAsync();

    /// <summary>Documents of bytes, stored as they are.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Documents)]
    public Task Bytes() => ChangeAllAsync(_ofBytes, _bytes);

    /// <summary>Documents of text, stored as UTF-8.</summary>
    [Benchmark(OperationsPerInvoke = Documents)]
    public Task Text() => ChangeAllAsync(_ofTexts, _texts);

    /// <summary>Objects, stored as JSON.</summary>
    [Benchmark(OperationsPerInvoke = Documents)]
    public Task Json() => ChangeAllAsync(_ofNotes, _notes);

    private Task ChangeAllAsync<T>(DocumentCollection<T> documents, T[] values)
        where T : class
    {
        var value = values[++_turn % values.Length];
        for (var i = 0; i < Documents; i++)
            _changes[i] = documents.UpdateAsync(_ids[i], _ => value).AsTask();
        return Task.WhenAll(_changes);
    }

    private sealed record Note(string Text, int Edits);
}
