namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain with a facet of this package.</summary>
[Alias("Stout.Orleans.Tests.Grains.ICartGrain")]
public interface ICartGrain : IGrainWithStringKey
{
    [Alias("AddAsync")]
    Task<int> AddAsync(string item);

    /// <summary>Adds an item, waits until it is durable, and then for the silo's <see cref="Gate"/>.</summary>
    [Alias("AddAndWaitAsync")]
    Task AddAndWaitAsync(string item);

    /// <summary>Waits for the silo's <see cref="Gate"/> and uses no state.</summary>
    [Alias("PassGateAsync")]
    Task PassGateAsync();

    [Alias("SetPartAsync")]
    Task SetPartAsync(string part, string item);

    [Alias("RemovePartAsync")]
    Task<bool> RemovePartAsync(string part);

    [Alias("ItemsAsync")]
    Task<IReadOnlyList<string>> ItemsAsync();

    [Alias("PartsAsync")]
    Task<IReadOnlyDictionary<string, string>> PartsAsync();

    [Alias("ClearAsync")]
    Task ClearAsync();

    /// <summary>Throws, before or after it has changed the state.</summary>
    [Alias("ThrowAsync")]
    Task ThrowAsync(bool afterChange);

    /// <summary>Has the activation end after this call.</summary>
    [Alias("LeaveAsync")]
    Task LeaveAsync();

    /// <summary>The epoch of the state.</summary>
    [Alias("EpochAsync")]
    Task<long> EpochAsync();

    /// <summary>The id of the activation.</summary>
    [Alias("ActivationAsync")]
    Task<string> ActivationAsync();

    /// <summary>Uses the state outside of a turn.</summary>
    [Alias("ReadElsewhereAsync")]
    Task<int> ReadElsewhereAsync();

    /// <summary>Changes the state through generic code with functions whose results are asynchronous. Returns the number of functions that ran.</summary>
    [Alias("ChangeLaterAsync")]
    Task<int> ChangeLaterAsync();
}
