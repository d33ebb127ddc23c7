using System.Threading.Channels;
using Microsoft.Extensions.Time.Testing;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>Reads whose answers the lane no longer uses: they are cancelled, and their memory is bounded also if they do not end.</summary>
public sealed class AbandonedReadTests : IAsyncDisposable
{
    private const int Patience = 30_000;

    private static readonly StoutOptions Options = new()
    {
        RequestTimeout = TimeSpan.FromSeconds(1), MinRetryDelay = TimeSpan.FromMilliseconds(1), MaxRetryDelay = TimeSpan.FromMilliseconds(1),
        Pacing = PacingLaws.NoBatching(),
    };

    private readonly FakeTimeProvider _time = new();
    private readonly SlowStore _store = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public ValueTask DisposeAsync() => _store.DisposeAsync();

    [Fact(Timeout = Patience)]
    public async Task Read_that_makes_progress_is_not_cut_at_the_time_limit()
    {
        await using var client = await OpenAsync();
        var fill = client.FillAsync(new PartitionKey("key"), Token).AsTask();
        var read = await _store.NextAsync();
        // Where the pause between two reports is the limit, the lane may look just before the second one.
        for (var i = 0; i < 400; i++)
        {
            read.Batch.ReportProgress();
            await PassAsync(Options.RequestTimeout / 8);
        }

        Assert.False(read.Token.IsCancellationRequested);
        read.Answer();
        await fill;
        Assert.Equal(1, _store.Count);
    }

    [Fact(Timeout = Patience)]
    public async Task Read_without_progress_is_cancelled_at_the_time_limit_and_repeated()
    {
        // The lane's thread may lag behind the clock, so the fill's own limit is far away.
        await using var client = await OpenAsync(Options with { UnreachableTimeout = TimeSpan.FromDays(1) });
        var fill = client.FillAsync(new PartitionKey("key"), Token).AsTask();
        var silent = await _store.NextAsync();
        silent.Batch.ReportProgress();
        await PassAsync(Options.RequestTimeout);
        Assert.False(silent.Token.IsCancellationRequested);
        while (!silent.Cancelled.IsCompleted)
            await PassAsync(Options.RequestTimeout);

        // The clock may pass the limits of the next reads, too.
        while (!fill.IsCompleted)
        {
            _store.TryNext()?.Answer();
            await PassAsync(TimeSpan.FromMilliseconds(20));
        }

        await fill;
        silent.Answer();
    }

    [Fact(Timeout = Patience)]
    public async Task Key_is_read_by_a_bounded_number_of_calls_that_do_not_end()
    {
        await using var client = await OpenAsync();
        var fill = client.FillAsync(new PartitionKey("key"), Token).AsTask();
        var first = await _store.NextAsync();
        await PassAsync(Options.RequestTimeout);
        var second = await RepeatedAsync();
        for (var i = 0; i < 10; i++)
            await PassAsync(Options.RequestTimeout);
        Assert.Equal(2, _store.Count);

        // Other keys are not concerned.
        var other = client.FillAsync(new PartitionKey("other"), Token).AsTask();
        (await RepeatedAsync()).Answer();
        await other;

        first.Answer();
        (await RepeatedAsync()).Answer();
        await fill;
        Assert.Equal(4, _store.Count);
        second.Answer();
    }

    [Fact(Timeout = Patience)]
    public async Task Key_whose_calls_never_end_fails_at_its_time_limit()
    {
        await using var client = await OpenAsync();
        var fill = client.FillAsync(new PartitionKey("key"), Token).AsTask();
        while (!fill.IsCompleted)
            await PassAsync(Options.RequestTimeout);
        await Assert.ThrowsAsync<FillFailedException>(() => fill);
        Assert.InRange(_store.Count, 1, 2);
        _store.AnswerAll();
    }

    [Fact(Timeout = Patience)]
    public async Task Read_whose_callers_have_all_left_is_cancelled_by_the_next_caller()
    {
        await using var client = await OpenAsync();
        using var leaves = new CancellationTokenSource();
        var left = client.FillAsync(new PartitionKey("key"), leaves.Token).AsTask();
        var read = await _store.NextAsync();
        await leaves.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);

        var fill = client.FillAsync(new PartitionKey("key"), Token).AsTask();
        await read.Cancelled;
        (await _store.NextAsync()).Answer();
        await fill;
        read.Answer();
    }

    private async Task<StoutClient> OpenAsync(StoutOptions? options = null) =>
        await StoutClient.OpenAsync(_store, new NoApplication(), options ?? Options, _time, Token);

    // The lane's loop sets its next timer on a thread of the pool.
    private async Task PassAsync(TimeSpan time)
    {
        for (var i = 0; i < 20; i++)
        {
            _time.Advance(time / 20);
            await Task.Run(static () => { }, Token);
            await Task.Yield();
        }
    }

    private async Task<SlowRead> RepeatedAsync()
    {
        for (;;)
        {
            if (_store.TryNext() is { } read)
                return read;
            await PassAsync(TimeSpan.FromMilliseconds(20));
        }
    }

    private sealed class NoApplication : IStoutApplication
    {
        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => default;
    }

    /// <summary>A read that ends only when the test says so.</summary>
    private sealed class SlowRead(ReadBatch batch, CancellationToken token)
    {
        private readonly TaskCompletionSource _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ReadBatch Batch => batch;

        public CancellationToken Token => token;

        public Task Cancelled => _cancelled.Task;

        public void Answer() => _answered.TrySetResult();

        public async Task EndAsync()
        {
            await using (token.Register(() => _cancelled.TrySetResult()))
                await _answered.Task;
            for (var i = 0; i < batch.Count; i++)
                batch.SetOutcome(i, ReadOutcome.NotFound(Stamp.Absent));
        }
    }

    private sealed class SlowStore : IStorageProxy, IStorePartition
    {
        private readonly InMemoryStore _inner = new();
        private readonly Channel<SlowRead> _reads = Channel.CreateUnbounded<SlowRead>();
        private readonly List<SlowRead> _all = [];

        public StorageCapabilities Capabilities => _inner.Capabilities;

        public StorageLimits Limits => _inner.Limits;

        public int Count
        {
            get
            {
                lock (_all)
                    return _all.Count;
            }
        }

        public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => new([this]);

        public async Task<SlowRead> NextAsync() => await _reads.Reader.ReadAsync(AbandonedReadTests.Token);

        public SlowRead? TryNext() => _reads.Reader.TryRead(out var read) ? read : null;

        public void AnswerAll()
        {
            lock (_all)
                _all.ForEach(static read => read.Answer());
        }

        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            var read = new SlowRead(batch, cancellationToken);
            lock (_all)
                _all.Add(read);
            _reads.Writer.TryWrite(read);
            return new(read.EndAsync());
        }

        public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => default;
    }
}
