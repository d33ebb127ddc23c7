namespace Samples.Tests;

/// <summary>Silos that are short of processor time declare each other dead. So tests with several silos run without others.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
