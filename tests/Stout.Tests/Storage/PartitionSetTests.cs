using FsCheck;
using FsCheck.Fluent;
using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>The set-up of partitions in memory, by clients that may end at any step, and by several clients at the same time.</summary>
public sealed class PartitionSetTests
{
    private const string Layout = "test";

    [Fact]
    public async Task New_partitions_become_one_set_that_is_ready()
    {
        var partitions = Empty(3);

        await SetUpAsync(partitions);

        Assert.All(partitions, static partition => Assert.True(partition.Identity!.IsReady));
        Assert.Single(partitions.Select(static partition => partition.Identity!.SetId).Distinct());
        Assert.Equal([0, 1, 2], partitions.Select(static partition => partition.Identity!.Partition));
    }

    [Fact]
    public void Set_up_that_ends_at_any_step_is_completed_by_the_next() => Prop.ForAll(Gen.Choose(1, 4).ToArbitrary(), Gen.Choose(0, 20).ToArbitrary(), (count, steps) =>
    {
        var partitions = Empty(count);
        var died = Record.Exception(() => SetUpAsync(partitions, new Steps(steps)).GetAwaiter().GetResult());
        Assert.True(died is null or OperationCanceledException);
        if (partitions.Any(static partition => partition.Identity is { IsReady: true }))
            Assert.All(partitions, static partition => Assert.NotNull(partition.Identity));

        SetUpAsync(partitions).GetAwaiter().GetResult();

        Assert.All(partitions, static partition => Assert.True(partition.Identity!.IsReady));
        Assert.Single(partitions.Select(static partition => partition.Identity!.SetId).Distinct());
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Clients_that_set_up_at_once_agree_whatever_the_order_of_their_steps() => Prop.ForAll<int>(seed =>
    {
        var partitions = Empty(3);
        var turns = new Turns(new Random(seed));
        var clients = Enumerable.Range(0, 3).Select(client => SetUpAsync(partitions, turns.For(client))).ToArray();
        turns.Run();

        Task.WhenAll(clients).GetAwaiter().GetResult();

        Assert.All(partitions, static partition => Assert.True(partition.Identity!.IsReady));
        Assert.Single(partitions.Select(static partition => partition.Identity!.SetId).Distinct());
        Assert.All(partitions, static partition => Assert.Equal(1, partition.Joined));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public async Task Partition_that_is_missing_from_a_ready_set_is_refused()
    {
        var partitions = Empty(3);
        await SetUpAsync(partitions);
        partitions[1].Identity = null;

        await IsRefusedAsync(partitions, "partition 1 is missing");
        Assert.Null(partitions[1].Identity);
    }

    [Theory]
    [InlineData(nameof(PartitionIdentity.Layout), "has the layout other")]
    [InlineData(nameof(PartitionIdentity.Version), "version 7")]
    [InlineData(nameof(PartitionIdentity.Hash), "spreads its keys by crc32")]
    [InlineData(nameof(PartitionIdentity.Partitions), "belongs to a set of 9 partitions")]
    [InlineData(nameof(PartitionIdentity.Partition), "is partition 5 of its set")]
    [InlineData(nameof(PartitionIdentity.SetId), "belongs to another set")]
    public async Task Partition_that_is_not_the_one_that_is_expected_is_refused(string property, string message)
    {
        var partitions = Empty(2);
        await SetUpAsync(partitions);
        var identity = partitions[1].Identity!;
        partitions[1].Identity = property switch
        {
            nameof(PartitionIdentity.Layout) => identity with { Layout = "other" },
            nameof(PartitionIdentity.Version) => identity with { Version = 7 },
            nameof(PartitionIdentity.Hash) => identity with { Hash = "crc32" },
            nameof(PartitionIdentity.Partitions) => identity with { Partitions = 9 },
            nameof(PartitionIdentity.Partition) => identity with { Partition = 5 },
            _ => identity with { SetId = Guid.NewGuid() },
        };

        await IsRefusedAsync(partitions, message);
    }

    private static InMemory[] Empty(int count) => [.. Enumerable.Range(0, count).Select(static i => new InMemory(i))];

    private static async Task IsRefusedAsync(InMemory[] partitions, string message)
    {
        var error = await Assert.ThrowsAsync<StoreException>(() => SetUpAsync(partitions));
        Assert.Equal(StoreErrorKind.LayoutMismatch, error.Kind);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    private static Task SetUpAsync(InMemory[] partitions, IStep? step = null) =>
        PartitionSet.SetUpAsync(Layout, 1, [.. partitions.Select(partition => new Client(partition, step))]).AsTask();

    /// <summary>A step that the client waits for before each call takes effect.</summary>
    private interface IStep
    {
        Task NextAsync();
    }

    /// <summary>Lets a client take a number of steps, and then ends it.</summary>
    private sealed class Steps(int left) : IStep
    {
        private int _left = left;

        public Task NextAsync() => _left-- > 0 ? Task.CompletedTask : Task.FromException(new OperationCanceledException());
    }

    /// <summary>Runs the steps of several clients one at a time, in a random order.</summary>
    private sealed class Turns(Random random)
    {
        private readonly List<TaskCompletionSource> _waiting = [];

        public IStep For(int client) => new Client(this, client);

        public void Run()
        {
            while (_waiting.Count > 0)
            {
                var next = _waiting[random.Next(_waiting.Count)];
                _waiting.Remove(next);
                next.SetResult();
            }
        }

        private sealed class Client(Turns turns, int number) : IStep
        {
            public Task NextAsync()
            {
                // The step goes on within SetResult: all clients run on the test's thread.
                var turn = new TaskCompletionSource(number);
                turns._waiting.Add(turn);
                return turn.Task;
            }
        }
    }

    private sealed class InMemory(int number)
    {
        public string Name { get; } = $"partition {number}";

        public PartitionIdentity? Identity { get; set; }

        public int Joined { get; set; }
    }

    private sealed class Client(InMemory partition, IStep? step) : IPartitionSetup
    {
        public string Name => partition.Name;

        public async ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken)
        {
            await NextAsync();
            return partition.Identity;
        }

        public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken)
        {
            await NextAsync();
            partition.Joined += partition.Identity is null ? 1 : 0;
            partition.Identity ??= identity;
        }

        public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken)
        {
            await NextAsync();
            partition.Identity = partition.Identity! with { IsReady = true };
        }

        private Task NextAsync() => step?.NextAsync() ?? Task.CompletedTask;
    }
}
