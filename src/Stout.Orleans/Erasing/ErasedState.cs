using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>The result of the erasure of one state.</summary>
/// <param name="StateName">The name of the state.</param>
/// <param name="GrainId">The grain.</param>
/// <param name="Outcome">The outcome.</param>
/// <param name="Error">The reason of <see cref="ErasureOutcome.Failed"/>; otherwise null.</param>
public sealed record ErasedState(string StateName, GrainId GrainId, ErasureOutcome Outcome, Exception? Error = null);
