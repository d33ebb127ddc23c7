namespace Stout.Orleans.Chaos.Faults;

/// <summary>A kind of fault.</summary>
/// <param name="Name">Its name in reports.</param>
/// <param name="Weight">How often it comes, beside the others.</param>
/// <param name="RunAsync">Makes it, and ends it.</param>
internal sealed record Fault(string Name, int Weight, Func<Task> RunAsync);
