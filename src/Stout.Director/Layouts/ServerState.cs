namespace Stout.Director.Layouts;

/// <summary>A leased server as the cluster sees it.</summary>
/// <param name="Id">The server's number; never given to a second server.</param>
/// <param name="Type">The name of the server's <see cref="Models.ServerType"/>.</param>
/// <param name="Phase">Whether the server serves requests.</param>
/// <param name="LeaseAge">The time since the lease began, from which paid intervals are counted. A duration, so that the cluster's and the Director's
/// clocks need not agree.</param>
public sealed record ServerState(int Id, string Type, ServerPhase Phase, TimeSpan LeaseAge)
{
    /// <summary>
    /// The server's zone: servers of one zone may fail together. The replicas of a bin are not all in one zone while another zone has room. Default: empty, the
    /// zone of all servers without one.
    /// </summary>
    public string Zone { get; init; } = "";
}
