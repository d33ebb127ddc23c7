namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain with a state that Orleans persists.</summary>
[Alias("Stout.Orleans.Tests.Grains.ICounterGrain")]
public interface ICounterGrain : IGrainWithStringKey
{
    /// <summary>Adds to the number in memory and writes it.</summary>
    [Alias("AddAsync")]
    Task<int> AddAsync(int amount);

    /// <summary>Sets the number in memory: the grain writes it when it is deactivated.</summary>
    [Alias("SaveAtTheEndAsync")]
    Task SaveAtTheEndAsync(int number);

    [Alias("ReadAsync")]
    Task<int> ReadAsync();

    /// <summary>Reads the state from the store.</summary>
    [Alias("RereadAsync")]
    Task<int> RereadAsync();

    [Alias("ClearAsync")]
    Task ClearAsync();

    [Alias("DeactivateAsync")]
    Task DeactivateAsync();
}
