namespace Stout.Orleans.Tests;

/// <summary>Tests that measure memory, or that load both cores, run without others.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
