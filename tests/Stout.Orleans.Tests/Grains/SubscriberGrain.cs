using Orleans.Streams;

namespace Stout.Orleans.Tests.Grains;

/// <inheritdoc/>
public sealed class SubscriberGrain : Grain, ISubscriberGrain
{
    public Task SubscribeAsync() => this.GetStreamProvider("streams")
        .GetStream<int>(StreamId.Create("numbers", this.GetPrimaryKeyString()))
        .SubscribeAsync(static (_, _) => Task.CompletedTask);
}
