namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain that subscribes to the stream of its own key.</summary>
[Alias("Stout.Orleans.Tests.Grains.ISubscriberGrain")]
public interface ISubscriberGrain : IGrainWithStringKey
{
    [Alias("SubscribeAsync")]
    Task SubscribeAsync();
}
