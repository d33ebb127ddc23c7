namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain that catches the errors of its writes.</summary>
[Alias("Stout.Orleans.Tests.Grains.IStubbornCounterGrain")]
public interface IStubbornCounterGrain : IGrainWithStringKey
{
    /// <summary>Adds to the number in memory and writes it.</summary>
    /// <returns>Whether the write succeeded.</returns>
    [Alias("TryAddAsync")]
    Task<bool> TryAddAsync(int amount);

    [Alias("ReadAsync")]
    Task<int> ReadAsync();
}
