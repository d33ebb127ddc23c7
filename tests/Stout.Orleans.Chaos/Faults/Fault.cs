namespace Stout.Orleans.Chaos.Faults;

/// <summary>A kind of fault.</summary>
/// <param name="Name">The kind's name in reports.</param>
/// <param name="Weight">The frequency of the kind, relative to the weights of the others.</param>
/// <param name="RunAsync">Makes the fault, and ends it.</param>
internal sealed record Fault(string Name, int Weight, Func<Task> RunAsync);
