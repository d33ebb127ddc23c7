using Npgsql;
using Orleans.Hosting;
using Polly.CircuitBreaker;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;
using Stout.Tests.Shared;

namespace Stout.Orleans.Tests;

/// <summary>Orleans sends this package's errors to a client with the exceptions inside them, of any type.</summary>
public sealed class TravellingErrorTests
{
    public static TheoryData<Type> Causes => [typeof(NpgsqlException), typeof(BrokenCircuitException), typeof(IOException)];

    [Theory]
    [MemberData(nameof(Causes))]
    public async Task An_error_arrives_as_it_was_thrown(Type cause)
    {
        var error = new StoreException(StoreErrorKind.Refused, "refused", (Exception)Activator.CreateInstance(cause)!);
        await using var cluster = await TestCluster.StartAsync(1, silo => silo.AddStoutGrainStorageAsDefault(stout => stout
            .UseInMemory().WrapStore((_, store) => new WrappedStorage(store, partition => new RefusingPartition(error)))));
        var grain = cluster.Client.GetGrain<ICounterGrain>("one");
        var thrown = await Assert.ThrowsAsync<GrainStateNotReadException>(grain.ReadAsync);
        Assert.Contains(cause, Chain(thrown).Select(one => one.GetType()));
    }

    [Fact]
    public void Each_exception_of_an_aggregate_is_noted()
    {
        CarriedExceptions.Note(new IOException("outer", new AggregateException(new IOException("first"), new SecondException())));
        Assert.True(CarriedExceptions.Contains(typeof(SecondException)));
    }

    private static IEnumerable<Exception> Chain(Exception error)
    {
        for (var one = error; one is not null; one = one.InnerException)
            yield return one;
    }

    private sealed class SecondException : Exception;

    private sealed class RefusingPartition(StoreException error) : IStorePartition
    {
        public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => throw error;

        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => throw error;
    }
}
