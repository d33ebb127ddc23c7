using System.Buffers;

namespace Stout.AzureTables.Tests;

/// <summary>A service whose store is killed under load, and comes back.</summary>
public sealed class KilledServerTests
{
    private const int Keys = 20;

    /// <summary>
    /// The emulator loses the last seconds of its acknowledged writes (its capability <c>Durable</c> is false), so the test does not look for lost writes. The
    /// test checks that every waiting message ends, that failures are reported as such, and that the service recovers.
    /// </summary>
    [Fact(Timeout = 600_000)]
    public async Task Service_recovers_and_every_waiting_message_ends()
    {
        await using var server = new AzuriteProcess();
        var options = new AzureTablesOptions { Accounts = [await server.StartAsync()], PartitionsPerAccount = 2 };
        await using (var storage = new AzureTablesStorage(options))
            await storage.OpenAsync(TestContext.Current.CancellationToken);

        // The orderly stop makes the emulator save the table.
        await server.StopAsync();
        await server.StartAsync();
        var application = new Application();
        await using var client = await StoutClient.OpenAsync(new AzureTablesStorage(options), application, cancellationToken: TestContext.Current.CancellationToken);

        using var ends = new CancellationTokenSource();
        var load = Enumerable.Range(0, Keys).Select(i => LoadAsync(client, $"key {i}", ends.Token)).ToList();
        for (var life = 0; life < 3; life++)
        {
            await application.ProgressAsync(50);
            await server.KillAsync();
            await server.StartAsync();
        }

        await application.ProgressAsync(50);
        await ends.CancelAsync();
        var failures = (await Task.WhenAll(load)).SelectMany(failure => failure).ToList();

        // Each failure has one of the three documented types, and a new change succeeds.
        Assert.All(failures, failure => Assert.True(failure is NotAppliedException or OutcomeUnknownException or FillFailedException, $"{failure}"));
        var handle = await client.FillAsync(new PartitionKey("afterwards"), cancellationToken: TestContext.Current.CancellationToken);
        handle.MarkDirty();
        await handle.WhenSafeAsync(TestContext.Current.CancellationToken);

        async Task<List<Exception>> LoadAsync(StoutClient stout, string key, CancellationToken cancellationToken)
        {
            var failed = new List<Exception>();
            KeyHandle? open = null;
            while (!cancellationToken.IsCancellationRequested)
            {
                try
                {
                    open ??= await stout.FillAsync(new PartitionKey(key), cancellationToken: CancellationToken.None);
                    open.MarkDirty();
                    await open.WhenSafeAsync(CancellationToken.None);
                    application.Progressed();
                }
                catch (StoutException error)
                {
                    failed.Add(error);
                    open = null;
                }
            }

            return failed;
        }
    }

    /// <summary>A service whose objects have eight bytes each. It counts durable changes.</summary>
    private sealed class Application : IStoutApplication
    {
        private readonly Lock _lock = new();
        private int _progress;
        private int _wanted = int.MaxValue;
        private TaskCompletionSource _reached = new();

        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
        {
            for (var i = 0; i < batch.Count; i++)
            {
                foreach (var part in batch[i].DirtyParts)
                    batch[i].Write(part).Write(BitConverter.GetBytes((long)i));
            }

            return ValueTask.CompletedTask;
        }

        /// <summary>Counts one more durable change.</summary>
        public void Progressed()
        {
            lock (_lock)
            {
                if (++_progress >= _wanted)
                    _reached.TrySetResult();
            }
        }

        /// <summary>Completes when <paramref name="more"/> more changes are durable.</summary>
        public Task ProgressAsync(int more)
        {
            lock (_lock)
            {
                _wanted = _progress + more;
                _reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                return _reached.Task;
            }
        }
    }
}
