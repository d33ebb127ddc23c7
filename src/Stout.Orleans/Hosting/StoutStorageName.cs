namespace Stout.Orleans.Hosting;

/// <summary>The name of a provider of this package, among the services.</summary>
internal sealed record StoutStorageName(string Name);
