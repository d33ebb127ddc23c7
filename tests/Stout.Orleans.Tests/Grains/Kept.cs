namespace Stout.Orleans.Tests.Grains;

/// <summary>The outcome of a call of <see cref="IKeeperGrain"/>.</summary>
/// <param name="Number">The number in the state.</param>
/// <param name="ETag">The state's ETag.</param>
/// <param name="Exists">Whether there is a state.</param>
/// <param name="Errors">The names of the types of the error and of those inside it, the outermost first; empty without an error.</param>
[GenerateSerializer]
[Alias("Stout.Orleans.Tests.Grains.Kept")]
public sealed record Kept(int Number, string? ETag, bool Exists, string[] Errors);
