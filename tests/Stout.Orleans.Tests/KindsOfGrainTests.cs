using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;
using Orleans.EventSourcing;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.TestingHost;
using Orleans.Transactions.Abstractions;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>Each kind of Orleans' grains keeps its state in Stout. Stateless workers and migrations have test classes of their own.</summary>
public sealed class KindsOfGrainTests(KindsOfGrainTests.Cluster cluster) : IClassFixture<KindsOfGrainTests.Cluster>
{
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    /// <summary>Without a reentrant class, calls of the facet run one after the other, and still each reply is durable.</summary>
    [Fact]
    public async Task A_grain_that_is_not_reentrant_keeps_each_change()
    {
        var grain = cluster.Kinds();
        Assert.Equal(Enumerable.Range(1, 50), (await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => grain.AddAsync(1)))).Order());
        await cluster.DeactivateAsync(grain);
        Assert.Equal(50, await grain.ReadAsync());
    }

    [Fact]
    public async Task A_call_that_always_interleaves_runs_beside_one_that_waits_and_both_changes_are_kept()
    {
        var grain = cluster.Kinds();
        var waiting = grain.AddAndWaitAsync(1);
        await cluster.Gate.Reached;
        Assert.Equal(11, await grain.AddInterleavedAsync(10));
        cluster.Gate.Open();
        await waiting;
        await cluster.DeactivateAsync(grain);
        Assert.Equal(11, await grain.ReadAsync());
    }

    [Fact]
    public async Task A_one_way_call_changes_the_state_and_a_later_reply_waits_for_that_change()
    {
        var grain = cluster.Kinds();
        for (var i = 0; i < 20; i++)
            await grain.AddOneWayAsync(1);
        // One-way calls may be overtaken by this one.
        while (await grain.ReadAsync() < 20)
            Cancel.ThrowIfCancellationRequested();
        Assert.Equal(20, await cluster.StoredAsync(grain));
    }

    /// <summary>The grain notifies its observer after <see cref="IStoutState{T}.WhenSafeAsync"/>, so the notification tells a durable number.</summary>
    [Fact]
    public async Task An_observer_is_told_only_what_is_durable()
    {
        var (grain, observer) = (cluster.Kinds(), new Watcher());
        await grain.AddAndTellAsync(7, cluster.Client.CreateObjectReference<IWatcher>(observer));
        Assert.Equal(7, await observer.Told.WaitAsync(Cancel));
        Assert.Equal(7, await cluster.StoredAsync(grain));
    }

    [Fact]
    public async Task A_timer_and_a_reminder_change_the_state()
    {
        var grain = cluster.Kinds();
        await grain.StartTimerAsync();
        while (await grain.ReadAsync() == 0)
            Cancel.ThrowIfCancellationRequested();
        await cluster.DeactivateAsync(grain);
        Assert.NotEqual(0, await grain.ReadAsync());

        // Orleans calls a reminder through this interface. The shortest period of a reminder is a minute, so the test calls it as Orleans does.
        var before = await grain.ReadAsync();
        await cluster.Client.GetGrain<IRemindable>(grain.GetGrainId()).ReceiveReminder("add", new TickStatus(), Cancel);
        Assert.InRange(await grain.ReadAsync(), before + 100, int.MaxValue);
    }

    [Theory]
    [InlineData(typeof(LogGrain))]
    [InlineData(typeof(StateGrain))]
    public async Task A_journaled_grain_reads_its_events_in_the_next_activation(Type grainClass)
    {
        var grain = cluster.Client.GetGrain<IJournalGrain>(Guid.NewGuid().ToString("N"), grainClass.FullName);
        for (var i = 1; i <= 3; i++)
        {
            Assert.Equal(i, await grain.RaiseAsync(1));
            await cluster.DeactivateAsync(grain);
        }

        Assert.Equal(4, await grain.RaiseAsync(1));
    }

    [Fact]
    public async Task A_transaction_changes_both_of_its_grains_or_neither()
    {
        var (one, two) = (cluster.Client.GetGrain<IAccountGrain>(Guid.NewGuid().ToString("N")), cluster.Client.GetGrain<IAccountGrain>(Guid.NewGuid().ToString("N")));
        await one.DepositAsync(10);
        await one.TransferAsync(two, 4);
        await Assert.ThrowsAnyAsync<Exception>(() => one.TransferAsync(two, 7));
        await cluster.DeactivateAsync(one);
        await cluster.DeactivateAsync(two);
        Assert.Equal((6, 4), (await one.BalanceAsync(), await two.BalanceAsync()));
    }

    /// <summary>One silo with everything that these kinds of grains need.</summary>
    public sealed class Cluster : IAsyncLifetime
    {
        private readonly InMemoryStore _store = new();
        private InProcessTestCluster? _cluster;

        public IClusterClient Client => _cluster!.Client;

        public Gate Gate { get; } = new();

        public IKindsGrain Kinds() => Client.GetGrain<IKindsGrain>(Guid.NewGuid().ToString("N"));

        public Task DeactivateAsync(IAddressable grain) => _cluster!.DeactivateAsync(grain);

        /// <summary>The number in the store.</summary>
        public async Task<int> StoredAsync(IAddressable grain)
        {
            var state = new GrainState<TestState>(new TestState());
            await _cluster!.StorageOf("Default").ReadStateAsync("number", grain.GetGrainId(), state);
            return state.State!.Number;
        }

        public async ValueTask InitializeAsync() => _cluster = await TestCluster.StartAsync(1, silo =>
        {
            silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => _store.Connect()));
            silo.AddLogStorageBasedLogConsistencyProvider("log");
            silo.AddStateStorageBasedLogConsistencyProvider("state");
            silo.UseTransactions();
            silo.UseInMemoryReminderService();
            silo.Services.AddSingleton(Gate);
        });

        public async ValueTask DisposeAsync() => await _cluster!.DisposeAsync();
    }

    /// <summary>An observer that keeps the first number it is told.</summary>
    private sealed class Watcher : IWatcher
    {
        private readonly TaskCompletionSource<int> _told = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<int> Told => _told.Task;

        public Task TellAsync(int number)
        {
            _told.TrySetResult(number);
            return Task.CompletedTask;
        }
    }

    [Alias("Stout.Orleans.Tests.KindsOfGrainTests.IWatcher")]
    public interface IWatcher : IGrainObserver
    {
        [Alias("TellAsync")]
        Task TellAsync(int number);
    }

    [Alias("Stout.Orleans.Tests.KindsOfGrainTests.IKindsGrain")]
    public interface IKindsGrain : IGrainWithStringKey
    {
        [Alias("AddAsync")]
        Task<int> AddAsync(int amount);

        [Alias("ReadAsync")]
        Task<int> ReadAsync();

        [Alias("AddAndWaitAsync")]
        Task AddAndWaitAsync(int amount);

        [AlwaysInterleave, Alias("AddInterleavedAsync")]
        Task<int> AddInterleavedAsync(int amount);

        [OneWay, Alias("AddOneWayAsync")]
        Task AddOneWayAsync(int amount);

        [Alias("AddAndTellAsync")]
        Task AddAndTellAsync(int amount, IWatcher watcher);

        [Alias("StartTimerAsync")]
        Task StartTimerAsync();
    }

    /// <summary>A grain with a facet and calls of several kinds.</summary>
    public sealed class KindsGrain([StoutState("number")] IStoutState<TestState> state) : Grain, IKindsGrain, IRemindable
    {
        public Task<int> AddAsync(int amount) => Task.FromResult(state.Change(state => state.Number += amount));

        public Task<int> ReadAsync() => Task.FromResult(state.Value?.Number ?? 0);

        public async Task AddAndWaitAsync(int amount)
        {
            await AddAsync(amount);
            await ServiceProvider.GetRequiredService<Gate>().PassAsync();
        }

        public Task<int> AddInterleavedAsync(int amount) => AddAsync(amount);

        public Task AddOneWayAsync(int amount) => AddAsync(amount);

        public async Task AddAndTellAsync(int amount, IWatcher watcher)
        {
            var number = await AddAsync(amount);
            await state.WhenSafeAsync();
            await watcher.TellAsync(number);
        }

        public Task StartTimerAsync()
        {
            this.RegisterGrainTimer(() => AddAsync(1), new GrainTimerCreationOptions(TimeSpan.Zero, TimeSpan.FromMilliseconds(1)));
            return Task.CompletedTask;
        }

        public Task ReceiveReminder(string reminderName, TickStatus status) => AddAsync(100);
    }

    [Alias("Stout.Orleans.Tests.KindsOfGrainTests.IJournalGrain")]
    public interface IJournalGrain : IGrainWithStringKey
    {
        /// <summary>Raises an event, waits until it is stored, and returns the sum of all events.</summary>
        [Alias("RaiseAsync")]
        Task<int> RaiseAsync(int amount);
    }

    [GenerateSerializer, Alias("Stout.Orleans.Tests.KindsOfGrainTests.Added")]
    public sealed record Added([property: Id(0)] int Amount);

    [GenerateSerializer, Alias("Stout.Orleans.Tests.KindsOfGrainTests.Sum")]
    public sealed class Sum
    {
        [Id(0)]
        public int Number { get; set; }

        public void Apply(Added added) => Number += added.Amount;
    }

    public abstract class JournalGrain : JournaledGrain<Sum, Added>, IJournalGrain
    {
        public async Task<int> RaiseAsync(int amount)
        {
            RaiseEvent(new Added(amount));
            await ConfirmEvents();
            return State.Number;
        }
    }

    [LogConsistencyProvider(ProviderName = "log"), StorageProvider]
    public sealed class LogGrain : JournalGrain;

    [LogConsistencyProvider(ProviderName = "state"), StorageProvider]
    public sealed class StateGrain : JournalGrain;

    [Alias("Stout.Orleans.Tests.KindsOfGrainTests.IAccountGrain")]
    public interface IAccountGrain : IGrainWithStringKey
    {
        [Transaction(TransactionOption.CreateOrJoin), Alias("DepositAsync")]
        Task DepositAsync(int amount);

        [Transaction(TransactionOption.CreateOrJoin), Alias("TransferAsync")]
        Task TransferAsync(IAccountGrain target, int amount);

        [Transaction(TransactionOption.CreateOrJoin), Alias("BalanceAsync")]
        Task<int> BalanceAsync();
    }

    [GenerateSerializer, Alias("Stout.Orleans.Tests.KindsOfGrainTests.Account")]
    public sealed class Account
    {
        [Id(0)]
        public int Balance { get; set; }
    }

    [Reentrant]
    public sealed class AccountGrain([TransactionalState("account")] ITransactionalState<Account> account) : Grain, IAccountGrain
    {
        public Task DepositAsync(int amount) => account.PerformUpdate(state => state.Balance += amount);

        public async Task TransferAsync(IAccountGrain target, int amount)
        {
            await target.DepositAsync(amount);
            await account.PerformUpdate(state => state.Balance = state.Balance >= amount ? state.Balance - amount : throw new InvalidOperationException("Too little."));
        }

        public Task<int> BalanceAsync() => account.PerformRead(static state => state.Balance);
    }
}
