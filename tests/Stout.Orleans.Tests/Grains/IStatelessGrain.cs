namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain without a state.</summary>
[Alias("Stout.Orleans.Tests.Grains.IStatelessGrain")]
public interface IStatelessGrain : IGrainWithStringKey
{
    [Alias("PingAsync")]
    Task PingAsync();
}
