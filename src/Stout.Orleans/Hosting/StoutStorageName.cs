namespace Stout.Orleans.Hosting;

/// <summary>The name of a provider of this package, registered as a service.</summary>
/// <param name="Name">The provider's name.</param>
/// <param name="Client">The name of its Stout client, which several providers may share.</param>
internal sealed record StoutStorageName(string Name, string Client);
