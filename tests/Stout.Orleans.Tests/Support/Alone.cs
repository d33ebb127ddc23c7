namespace Stout.Orleans.Tests;

/// <summary>The collection of tests that measure memory, or that load all cores. No other tests run at the same time.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
