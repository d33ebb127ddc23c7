namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain with a state in each of three providers.</summary>
[Alias("Stout.Orleans.Tests.Grains.ITrioGrain")]
public interface ITrioGrain : IGrainWithStringKey
{
    /// <summary>Writes the number to all states at the same time.</summary>
    [Alias("WriteAsync")]
    Task WriteAsync(int number);

    [Alias("ReadAsync")]
    Task<int[]> ReadAsync();
}
