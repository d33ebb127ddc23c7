namespace Stout.Director.Layouts;

/// <summary>A leased server as the cluster sees it.</summary>
/// <param name="Id">The server's number; never given to a second server.</param>
/// <param name="Type">The name of its <see cref="Models.ServerType"/>.</param>
/// <param name="Phase">Whether it serves.</param>
/// <param name="LeaseAge">The time since the lease began: paid intervals count from there. A duration, so clocks need not agree.</param>
public sealed record ServerState(int Id, string Type, ServerPhase Phase, TimeSpan LeaseAge);
