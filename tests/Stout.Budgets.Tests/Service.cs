using Stout.Pacing;

namespace Stout.Budgets.Tests;

/// <summary>An application without objects, its client, and its keys. The keys' texts and the tables are created first, so they are not measured.</summary>
internal sealed class Service : IStoutApplication, IAsyncDisposable
{
    private PartitionKey[] _keys;
    private readonly Task<KeyHandle>[] _opening = new Task<KeyHandle>[1000];

    private Service(int keys)
    {
        _keys = [.. Enumerable.Range(0, keys).Select(i => new PartitionKey($"key {i:D6}"))];
        Handles = new KeyHandle[keys];
    }

    public StoutClient Client { get; private set; } = null!;

    public KeyHandle[] Handles { get; private set; }

    public static async Task<Service> StartAsync(int keys, Func<IPacingLaw>? pacing = null)
    {
        var service = new Service(keys);
        // One request at a time. Otherwise the number of concurrent batches, each with its own memory, would depend on the machine.
        pacing ??= PacingLaws.NoBatching(new() { MaxInFlight = 1 });
        service.Client = await StoutClient.OpenAsync(new ForgetfulStore(), service, new StoutOptions { Pacing = pacing });
        return service;
    }

    /// <summary>Opens every key, some at a time.</summary>
    public async Task OpenAsync(Func<StoutClient, PartitionKey, ValueTask<KeyHandle>> open)
    {
        for (var next = 0; next < Handles.Length; next += _opening.Length)
        {
            var count = Math.Min(_opening.Length, Handles.Length - next);
            for (var i = 0; i < count; i++)
                _opening[i] = open(Client, _keys[next + i]).AsTask();
            for (var i = 0; i < count; i++)
                Handles[next + i] = await _opening[i];
        }

        Array.Clear(_opening);
    }

    public static ValueTask ChangeAsync(KeyHandle handle)
    {
        handle.MarkDirty();
        return handle.WhenSafeAsync();
    }

    /// <summary>Marks every key, and waits now and then until what is marked is durable.</summary>
    public async Task ChangeAllAsync()
    {
        for (var i = 0; i < Handles.Length; i++)
        {
            Handles[i].MarkDirty();
            if (i % _opening.Length == 0)
                await Handles[i].WhenSafeAsync();
        }

        foreach (var handle in Handles)
            await handle.WhenSafeAsync();
    }

    public async Task CloseAllAsync()
    {
        for (var i = 0; i < Handles.Length; i++)
        {
            Assert.True(await Handles[i].TryCloseAsync());
            Handles[i] = null!;
        }
    }

    public Task StopAtOnceAsync() => Client.StopAsync(new CancellationToken(canceled: true));

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var writer = batch[i].Write(SubKey.Root);
            writer.GetSpan(16)[..16].Clear();
            writer.Advance(16);
        }

        return default;
    }

    // No object of the service may be alive when the next test begins to measure. The runner still refers to the service, so its fields are cleared. The
    // lane's end may continue the test on its own stack, so the test leaves that stack by a yield.
    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        (Client, Handles, _keys) = (null!, [], []);
        await Task.Yield();
    }
}
