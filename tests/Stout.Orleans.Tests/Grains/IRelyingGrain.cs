namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain whose activations after the first write pass the gate, and then ask the counter of the same key.</summary>
[Alias("Stout.Orleans.Tests.Grains.IRelyingGrain")]
public interface IRelyingGrain : IGrainWithStringKey
{
    [Alias("WriteAsync")]
    Task WriteAsync();

    /// <summary>The counter's number when this grain was activated.</summary>
    [Alias("NumberAsync")]
    Task<int> NumberAsync();
}
