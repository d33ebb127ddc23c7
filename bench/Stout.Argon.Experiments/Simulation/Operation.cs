using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Simulation;

/// <summary>One request of a simulated client.</summary>
internal readonly record struct Operation(RequestKind Kind, int Object, long First, int Count);
