using System.Collections.Concurrent;
using System.Text;
using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>The store holds only states that the object has had in memory. So a crash leaves the object in one of these states.</summary>
public sealed class AtomicityTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Store_holds_after_every_batch_a_state_that_the_object_had(int seed)
    {
        var store = new ControlledStore();
        var had = new ConcurrentDictionary<string, bool>();
        var torn = new ConcurrentQueue<string>();
        var batches = 0;
        var random = new Random(seed);
        store.Answer = _ =>
        {
            lock (random)
                return random.Next(10) == 0 ? new WriteOutcome(WriteOutcomeKind.Overloaded) : null;
        };
        store.Written = batch =>
        {
            Interlocked.Increment(ref batches);
            for (var i = 0; i < batch.Count; i++)
            {
                var key = batch[i].Key.Text;
                var state = key + ": " + Describe(store.PeekAsync(key).Result);
                if (batch.OutcomeOf(i).Kind == WriteOutcomeKind.Committed && !had.ContainsKey(state))
                    torn.Enqueue(state);
            }
        };
        await using (var documents = await Fixture.OpenAsync(store, Fixture.Options with
        {
            Stout = Fixture.Options.Stout with { MinRetryDelay = TimeSpan.FromMilliseconds(1), MaxRetryDelay = TimeSpan.FromMilliseconds(1) },
        }))
        {
            var notes = documents.GetCollection<string>("notes");
            await Task.WhenAll(Enumerable.Range(0, 4).Select(worker => Task.Run(() => WorkAsync(notes, had, new Random((seed * 10) + worker)), Token)));
        }

        Assert.Empty(torn);
        Assert.True(batches > 200, $"Only {batches} batches were looked at.");
    }

    private static async Task WorkAsync(DocumentCollection<string> notes, ConcurrentDictionary<string, bool> had, Random random)
    {
        var waiting = new Queue<Task>();
        for (var step = 0; step < 2000; step++)
        {
            var id = "id" + random.Next(3);
            waiting.Enqueue(notes.ChangeAsync(id, editor => Change(editor, id, had, random), Token).AsTask());
            if (waiting.Count > 4)
                await waiting.Dequeue();
        }

        await Task.WhenAll(waiting);
    }

    private static bool Change(DocumentEditor<string> editor, string id, ConcurrentDictionary<string, bool> had, Random random)
    {
        if (random.Next(4) == 0)
            editor.Delete();
        var version = "" + random.Next();
        for (var i = random.Next(4); i > 0; i--)
        {
            if (random.Next(3) == 0)
                editor.Remove("part" + random.Next(5));
            else
                editor.Set("part" + random.Next(5), version);
        }

        // Records the state before the change is made, and so before any batch can carry the change.
        var state = editor.Exists ? string.Join(", ", editor.Names.Select(name => name + "=" + editor[name])) : "absent";
        had[$"notes/{id}: {state}"] = true;
        return true;
    }

    private static string Describe(Dictionary<string, byte[]>? parts) => parts is null
        ? "absent"
        : string.Join(", ", parts.OrderBy(part => part.Key, StringComparer.Ordinal).Select(part => part.Key + "=" + Encoding.UTF8.GetString(part.Value)));
}
