using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Hosting;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>Input that can't be stored or read: each kind has its own error, and nothing is lost.</summary>
public sealed class BadInputTests(BadInputTests.Cluster cluster) : IClassFixture<BadInputTests.Cluster>
{
    private static readonly GrainId Grain = GrainId.Create("player", "one");

    [Fact]
    public async Task A_serializer_that_throws_leaves_the_stored_state_and_the_ETag()
    {
        var state = await cluster.WriteAsync("throwing", new TestState { Number = 1 });
        var etag = state.ETag;
        state.State = new TestState { Text = PickySerializer.Refused };
        var error = await Assert.ThrowsAsync<GrainStateSerializationException>(() => cluster.Storage.WriteStateAsync("throwing", Grain, state));
        Assert.Equal(("throwing", Grain), (error.StateName, error.GrainId));
        Assert.Equal($"The state 'throwing' of the grain {Grain} was not written: the serializer has thrown.", error.Message);
        Assert.IsType<NotSupportedException>(error.InnerException);
        Assert.Equal(etag, state.ETag);

        state.State = new TestState { Number = 2 };
        await cluster.Storage.WriteStateAsync("throwing", Grain, state);
        Assert.Equal(2, (await cluster.ReadAsync("throwing")).State!.Number);
    }

    [Fact]
    public async Task Stored_bytes_that_the_serializer_refuses_are_left_as_they_are()
    {
        await cluster.WriteAsync("readable", new TestState());
        await cluster.WriteAsync("unreadable", new TestState { Text = PickySerializer.Unreadable });
        for (var i = 0; i < 2; i++)
        {
            var error = await Assert.ThrowsAsync<GrainStateSerializationException>(() => cluster.ReadAsync("unreadable"));
            Assert.Equal($"The serialized state 'unreadable' of the grain {Grain} could not be read: the serializer has thrown.", error.Message);
        }
    }

    [Fact]
    public async Task The_first_value_of_a_type_is_not_stored_if_the_serializer_does_not_read_it_back()
    {
        var state = new GrainState<object>(PickySerializer.Unreadable);
        await Assert.ThrowsAsync<GrainStateSerializationException>(() => cluster.Storage.WriteStateAsync("first", Grain, state));
        Assert.Null(state.ETag);
        Assert.False((await cluster.ReadAsync("first")).RecordExists);
    }

    [Fact]
    public async Task A_state_above_the_stores_limit_is_refused_with_its_size()
    {
        var state = await cluster.WriteAsync("large", new TestState { Number = 1 });
        state.State = new TestState { Text = new string('x', (16 << 20) + 1) };
        var error = await Assert.ThrowsAsync<GrainStateTooLargeException>(() => cluster.Storage.WriteStateAsync("large", Grain, state));
        Assert.Equal(16 << 20, error.Limit);
        Assert.Equal($"The state 'large' of the grain {Grain} was not written: it has {error.Size} bytes, and the store allows 16777216.", error.Message);
        Assert.True(error.Size > error.Limit);
        Assert.Equal((1, state.ETag), ((await cluster.ReadAsync("large")).State!.Number, (await cluster.ReadAsync("large")).ETag));
    }

    [Fact]
    public async Task An_object_that_another_program_has_written_is_refused_and_left_as_it_is()
    {
        var key = new PartitionKey($"{cluster.ServiceId}/foreign/{Grain}");
        var cancel = TestContext.Current.CancellationToken;
        await using var other = await StoutClient.OpenAsync(cluster.Store.Connect(), new OtherProgram(), cancellationToken: cancel);
        var handle = await other.FillAsync(key, cancellationToken: cancel);
        await handle.MarkDirtyAsync(new SubKey("part"), cancel);
        var state = new GrainState<TestState>(new TestState());
        Assert.Equal(
            $"The key of the state 'foreign' of the grain {Grain} holds an object that this provider has not written. It was left as it is.",
            (await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync("foreign"))).Message);
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.Storage.WriteStateAsync("foreign", Grain, state));
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.Storage.ClearStateAsync("foreign", Grain, state));
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync("foreign"));
    }

    [Fact]
    public async Task A_key_that_is_too_long_is_refused()
    {
        var grain = GrainId.Create("player", new string('k', PartitionKey.MaxBytes));
        var state = new GrainState<TestState>(new TestState());
        var error = await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.Storage.WriteStateAsync("long", grain, state));
        Assert.StartsWith($"The state 'long' of the grain {grain} could not be read.", error.Message, StringComparison.Ordinal);
        Assert.Equal(InvalidKeyReason.TooLong, Assert.IsType<InvalidKeyException>(error.InnerException).Reason);
    }

    [Theory]
    [InlineData(typeof(TwiceGrain), "The grain class Stout.Orleans.Tests.BadInputTests+TwiceGrain declares the state 'same' twice in the storage 'Default'. Give each a name of its own.")]
    [InlineData(typeof(TwiceByBaseGrain), "The grain class Stout.Orleans.Tests.BadInputTests+TwiceByBaseGrain declares the state 'state' twice in the storage 'Default'. Give each a name of its own.")]
    [InlineData(typeof(LostGrain), "asks for the grain storage 'nowhere', which does not exist. Add it with AddStoutGrainStorage.")]
    [InlineData(typeof(OtherStorageGrain), "asks for the grain storage 'memory', which is no Stout grain storage.")]
    [InlineData(typeof(OtherTypeGrain), "The parameter 'state' of the constructor of Stout.Orleans.Tests.BadInputTests+OtherTypeGrain has [StoutState], so its type must be Stout.Orleans.IStoutState`1[T].")]
    public async Task A_class_whose_states_are_declared_wrongly_is_refused_by_name(Type grainClass, string told)
    {
        var error = await Assert.ThrowsAnyAsync<Exception>(() => cluster.Client.GetGrain<ICounterGrain>("one", grainClass.FullName).ReadAsync());
        Assert.Contains(told, error.ToString(), StringComparison.Ordinal);
    }

    /// <summary>The base of grains that are never activated, since they declare their states wrongly.</summary>
    public abstract class RefusedGrain(object state, object? other = null) : Grain, ICounterGrain
    {
        public Task<int> AddAsync(int amount) => throw new NotSupportedException();

        public Task SaveAtTheEndAsync(int number) => throw new NotSupportedException();

        public Task<int> ReadAsync() => Task.FromResult(state.GetHashCode() + (other?.GetHashCode() ?? 0));

        public Task<int> RereadAsync() => throw new NotSupportedException();

        public Task ClearAsync() => throw new NotSupportedException();

        public Task DeactivateAsync() => throw new NotSupportedException();
    }

    /// <summary>A grain whose two states have the same name.</summary>
    public sealed class TwiceGrain([PersistentState("same")] IPersistentState<TestState> one, [StoutState("same")] IStoutState<TestState> two) : RefusedGrain(one, two);

    /// <summary>A grain with the state of its base class, which Orleans calls 'state', and a state of its own with the same name.</summary>
    public sealed class TwiceByBaseGrain([PersistentState("state")] IPersistentState<TestState> other) : Grain<TestState>, ICounterGrain
    {
        public Task<int> AddAsync(int amount) => throw new NotSupportedException();

        public Task SaveAtTheEndAsync(int number) => throw new NotSupportedException();

        public Task<int> ReadAsync() => Task.FromResult(State.Number + other.State.Number);

        public Task<int> RereadAsync() => throw new NotSupportedException();

        public Task ClearAsync() => throw new NotSupportedException();

        public Task DeactivateAsync() => throw new NotSupportedException();
    }

    /// <summary>A grain whose storage is missing.</summary>
    public sealed class LostGrain([StoutState("state", "nowhere")] IStoutState<TestState> state) : RefusedGrain(state);

    /// <summary>A grain whose facet names a storage of another kind.</summary>
    public sealed class OtherStorageGrain([StoutState("state", "memory")] IStoutState<TestState> state) : RefusedGrain(state);

    /// <summary>A grain whose facet parameter has the type of Orleans' own states.</summary>
    public sealed class OtherTypeGrain([StoutState("state")] IPersistentState<TestState> state) : RefusedGrain(state);

    /// <summary>One silo with a serializer that refuses some values.</summary>
    public sealed class Cluster : IAsyncLifetime
    {
        private InProcessTestCluster? _cluster;

        public InMemoryStore Store { get; } = new();

        public IGrainStorage Storage => _cluster!.StorageOf("Default");

        public string ServiceId => _cluster!.Options.ServiceId;

        public IGrainFactory Client => _cluster!.Client;

        public async Task<GrainState<TestState>> WriteAsync(string name, TestState value)
        {
            var state = new GrainState<TestState>(value);
            await Storage.WriteStateAsync(name, Grain, state);
            return state;
        }

        public async Task<GrainState<TestState>> ReadAsync(string name)
        {
            var state = new GrainState<TestState>(new TestState());
            await Storage.ReadStateAsync(name, Grain, state);
            return state;
        }

        public async ValueTask InitializeAsync() => _cluster = await TestCluster.StartAsync(1, silo =>
        {
            silo.Services.AddKeyedSingleton<IGrainStorageSerializer, PickySerializer>("Default");
            silo.AddMemoryGrainStorage("memory");
            silo.AddStoutGrainStorageAsDefault((StoutBuilder stout) => stout.UseStore(_ => Store.Connect()));
        });

        public async ValueTask DisposeAsync() => await _cluster!.DisposeAsync();
    }

    private sealed class OtherProgram : IStoutApplication
    {
        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
        {
            batch[0].Write(new SubKey("part"));
            batch[0].Write(SubKey.Root);
            return ValueTask.CompletedTask;
        }
    }
}
