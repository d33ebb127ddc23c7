namespace Stout.Orleans.Hosting;

/// <summary>The name of a provider of this package, registered as a service.</summary>
internal sealed record StoutStorageName(string Name);
