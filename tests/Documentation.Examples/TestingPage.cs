using Stout.Storage;
using Stout.Testing;

namespace Documentation.Examples;

/// <summary>The code of the page inside the package Stout.Testing.</summary>
public static class TestingPage
{
    #region specification
    public sealed class MyStoreSpecification : StorageProxySpecification
    {
        private InMemoryStore Data { get; } = new(); // Here goes yours, empty for each test.

        protected override IStorageProxy Connect(TimeProvider time) => Data.Connect();
    }
    #endregion

    public static async Task InjectFaultsAsync()
    {
        #region faults
        await using var store = new FaultyStore(new InMemoryStore(), new FaultyStoreOptions
        {
            Seed = 1,
            MaxLatency = TimeSpan.FromMilliseconds(20),
            Requests = new FaultRates { Overloaded = 0.02, LostAnswer = 0.01, Late = 0.01 }, // a request as a whole
            Keys = new FaultRates { LostRequest = 0.01 }, // a key by itself
        });
        #endregion
    }
}
