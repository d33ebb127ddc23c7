using Orleans.Concurrency;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>Stateless workers: several activations share a state. They read it without a claim, and write it only without claims.</summary>
public sealed class StatelessWorkerTests
{
    private const string Unclaimed = "unclaimed";
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    public static TheoryData<Type> Workers => [typeof(StateWorker), typeof(FacetWorker), typeof(BaseWorker), typeof(UnclaimedWorker)];

    [Theory, MemberData(nameof(Workers))]
    public async Task Workers_read_one_state_and_leave_its_owner_alone(Type grainClass)
    {
        await using var cluster = await StartAsync();
        var worker = cluster.Client.GetGrain<IWorkerGrain>("one", grainClass.FullName);
        Assert.Equal(0, await worker.ReadAsync());
        var name = await worker.StateNameAsync();
        var storage = cluster.StorageOf(grainClass == typeof(UnclaimedWorker) ? Unclaimed : "Default");
        var state = new GrainState<TestState>(new TestState { Number = 7 });
        await storage.WriteStateAsync(name, worker.GetGrainId(), state, Cancel);
        await cluster.DeactivateAsync(worker);

        // Each call waits for the other one, so that two workers read the state.
        var meeting = await Task.WhenAll(worker.MeetAsync(2), worker.MeetAsync(2));
        Assert.Equal(2, meeting.Distinct().Count());
        Assert.All(await Task.WhenAll(worker.ReadAsync(), worker.ReadAsync()), static number => Assert.Equal(7, number));

        state.State = new TestState { Number = 8 };
        await storage.WriteStateAsync(name, worker.GetGrainId(), state, Cancel);
    }

    [Theory]
    [InlineData(typeof(StateWorker))]
    [InlineData(typeof(FacetWorker))]
    [InlineData(typeof(BaseWorker))]
    public async Task A_write_of_a_worker_is_refused_with_its_class_and_state(Type grainClass)
    {
        await using var cluster = await StartAsync();
        var worker = cluster.Client.GetGrain<IWorkerGrain>("one", grainClass.FullName);
        var name = await worker.StateNameAsync();
        foreach (var call in new[] { worker.WriteAsync, worker.ClearAsync })
        {
            var error = await Assert.ThrowsAsync<StatelessWorkerStateException>(call);
            Assert.Equal((grainClass.FullName, name, worker.GetGrainId()), (error.GrainClass, error.StateName, error.GrainId));
        }

        Assert.Equal(0, await worker.ReadAsync());
    }

    [Fact]
    public async Task Without_claims_workers_write_and_an_old_ETag_is_refused()
    {
        await using var cluster = await StartAsync();
        var worker = cluster.Client.GetGrain<IWorkerGrain>("one", typeof(UnclaimedWorker).FullName);
        await Task.WhenAll(worker.MeetAsync(2), worker.MeetAsync(2));
        var writes = await Task.WhenAll(Enumerable.Range(0, 2).Select(async _ =>
        {
            try
            {
                await worker.MeetAndWriteAsync(2);
                return true;
            }
            catch (InconsistentStateException)
            {
                return false;
            }
        }));
        Assert.Equal([false, true], writes.Order());
        var stored = new GrainState<TestState>(new TestState());
        await cluster.StorageOf(Unclaimed).ReadStateAsync("state", worker.GetGrainId(), stored, Cancel);
        Assert.Equal(1, stored.State!.Number);
    }

    [Theory]
    [InlineData(typeof(ConfirmingWorker))]
    [InlineData(typeof(EpochWorker))]
    public async Task What_a_worker_can_only_have_as_an_owner_is_refused(Type grainClass)
    {
        await using var cluster = await StartAsync();
        var error = await Assert.ThrowsAsync<StatelessWorkerStateException>(() => cluster.Client.GetGrain<IWorkerGrain>("one", grainClass.FullName).ReadAsync());
        Assert.Equal(grainClass.FullName, error.GrainClass);
    }

    private static Task<InProcessTestCluster> StartAsync()
    {
        Meeting.Reset();
        return TestCluster.StartAsync(1, static silo =>
        {
            silo.AddStoutGrainStorageAsDefault(static stout => stout.UseInMemory());
            silo.AddStoutGrainStorage(Unclaimed, static stout => stout.UseInMemory(), static (StoutGrainStorageOptions options) => options.Ownership = GrainOwnership.None);
        });
    }

    /// <summary>Where calls of different workers wait for each other.</summary>
    private static class Meeting
    {
        private static TaskCompletionSource _met = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private static int _there;

        public static void Reset() => (_met, _there) = (new(TaskCreationOptions.RunContinuationsAsynchronously), 0);

        public static async Task PassAsync(int workers)
        {
            var met = _met;
            if (Interlocked.Increment(ref _there) == workers)
            {
                Reset();
                met.SetResult();
            }

            await met.Task;
        }
    }

    /// <summary>A stateless worker with a state.</summary>
    [Alias("Stout.Orleans.Tests.StatelessWorkerTests.IWorkerGrain")]
    public interface IWorkerGrain : IGrainWithStringKey
    {
        [Alias("StateNameAsync")]
        Task<string> StateNameAsync();

        [Alias("ReadAsync")]
        Task<int> ReadAsync();

        /// <summary>Increments the number and writes it.</summary>
        [Alias("WriteAsync")]
        Task WriteAsync();

        [Alias("ClearAsync")]
        Task ClearAsync();

        /// <summary>Waits for calls of other workers, and returns the worker's activation.</summary>
        [Alias("MeetAsync")]
        Task<string> MeetAsync(int workers);

        [Alias("MeetAndWriteAsync")]
        Task MeetAndWriteAsync(int workers);
    }

    public abstract class Worker(string name) : Grain, IWorkerGrain
    {
        public Task<string> StateNameAsync() => Task.FromResult(name);

        public abstract Task<int> ReadAsync();

        public abstract Task WriteAsync();

        public abstract Task ClearAsync();

        public async Task<string> MeetAsync(int workers)
        {
            await Meeting.PassAsync(workers);
            return GrainContext.ActivationId.ToString();
        }

        public async Task MeetAndWriteAsync(int workers)
        {
            await Meeting.PassAsync(workers);
            await WriteAsync();
        }
    }

    [StatelessWorker(4)]
    public class StateWorker([PersistentState("state")] IPersistentState<TestState> state) : Worker("state")
    {
        public override Task<int> ReadAsync() => Task.FromResult(state.State.Number);

        public override Task WriteAsync()
        {
            state.State.Number++;
            return RestoreAsync(state.WriteStateAsync());
        }

        public override Task ClearAsync() => state.ClearStateAsync();

        private async Task RestoreAsync(Task writing)
        {
            try
            {
                await writing;
            }
            catch (StatelessWorkerStateException)
            {
                state.State.Number--;
                throw;
            }
        }
    }

    [StatelessWorker(4)]
    public sealed class UnclaimedWorker([PersistentState("state", Unclaimed)] IPersistentState<TestState> state) : StateWorker(state);

    [StatelessWorker(4)]
    public sealed class FacetWorker([StoutState("state")] IStoutState<TestState> state) : Worker("state")
    {
        public override Task<int> ReadAsync() => Task.FromResult(state.Value?.Number ?? 0);

        public override Task WriteAsync()
        {
            state.Change(static state => state.Number++);
            return Task.CompletedTask;
        }

        public override Task ClearAsync()
        {
            state.Clear();
            return Task.CompletedTask;
        }
    }

    /// <summary>A worker with the state of Orleans' base class.</summary>
    [StatelessWorker(4)]
    public sealed class BaseWorker : Grain<TestState>, IWorkerGrain
    {
        public Task<string> StateNameAsync() => Task.FromResult("state");

        public Task<int> ReadAsync() => Task.FromResult(State.Number);

        public Task WriteAsync() => WriteStateAsync();

        public Task ClearAsync() => ClearStateAsync();

        public async Task<string> MeetAsync(int workers)
        {
            await Meeting.PassAsync(workers);
            return GrainContext.ActivationId.ToString();
        }

        public Task MeetAndWriteAsync(int workers) => throw new NotSupportedException();
    }

    [StatelessWorker(4)]
    public sealed class ConfirmingWorker([StoutState("state", ConfirmReads = true)] IStoutState<TestState> state) : Worker("state")
    {
        public override Task<int> ReadAsync() => Task.FromResult(state.Value?.Number ?? 0);

        public override Task WriteAsync() => throw new NotSupportedException();

        public override Task ClearAsync() => throw new NotSupportedException();
    }

    [StatelessWorker(4)]
    public sealed class EpochWorker([StoutState("state")] IStoutState<TestState> state) : Worker("state")
    {
        public override Task<int> ReadAsync() => Task.FromResult((int)state.Epoch);

        public override Task WriteAsync() => throw new NotSupportedException();

        public override Task ClearAsync() => throw new NotSupportedException();
    }
}
