namespace Stout.Orleans.Tests.Grains;

/// <summary>A grain that calls a provider for its own state, with the ETags that the test gives. An error does not end the activation.</summary>
[Alias("Stout.Orleans.Tests.Grains.IKeeperGrain")]
public interface IKeeperGrain : IGrainWithStringKey
{
    /// <summary>Reads the state "state" of the default provider.</summary>
    [Alias("ReadAsync")]
    Task<Kept> ReadAsync();

    [Alias("WriteAsync")]
    Task<Kept> WriteAsync(int number, string? etag);

    [Alias("ClearAsync")]
    Task<Kept> ClearAsync(string? etag);
}
