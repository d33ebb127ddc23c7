namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain with states of the same names in two providers, "left" and "right".</summary>
[Alias("Stout.Orleans.Tests.Grains.IPairGrain")]
public interface IPairGrain : IGrainWithStringKey
{
    [Alias("WriteAsync")]
    Task WriteAsync(int leftNumber, int rightNumber);

    /// <summary>The numbers in memory: those of the persistent states, then those of the facets.</summary>
    [Alias("ReadAsync")]
    Task<int[]> ReadAsync();
}
