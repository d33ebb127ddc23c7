namespace Stout.Director.Simulation.Physics;

/// <summary>
/// The behavior of one kind of simulated server. Requests queue for a single processor. At random moments the host takes the processor away for a
/// while, which is a stall. Stalls cause the tail of latency. Load makes the tail longer, because the queue after a stall drains more slowly. A slowly
/// varying environment makes stalls rarer or more frequent.
/// </summary>
public sealed record ServerPhysics
{
    /// <summary>
    /// Amazon's m1.small as the paper describes it. Calibrated on the paper's text alone (§2.2, §5.4, table 1), before any experiment: see docs/director/README.md.
    /// </summary>
    public static ServerPhysics SmallInstance { get; } = new();

    /// <summary>Processor time of a get in seconds. Above 0.</summary>
    public double GetTime { get; init; } = 1 / 16_300.0;

    /// <summary>
    /// Processor time of a put in seconds, at every replica. At least 0. Default: half a get's, since puts are propagated in batches (§5.2); the
    /// paper gives no figure.
    /// </summary>
    public double PutTime { get; init; } = 0.5 / 16_300.0;

    /// <summary>Mean length of a stall in seconds. Lengths are exponential.</summary>
    public double Stall { get; init; } = 0.0230;

    /// <summary>Mean time between the end of a stall and the next, in seconds, in the average environment.</summary>
    public double Run { get; init; } = 0.0312;

    /// <summary>Standard deviation of the logarithm of the stall rate, server by server.</summary>
    public double EnvironmentDeviation { get; init; } = 0.05;

    /// <summary>Correlation time of the environment in seconds. Above 0.</summary>
    public double EnvironmentTime { get; init; } = 5;

    /// <summary>Mean network time of a request in seconds.</summary>
    public double Network { get; init; } = 0.0011;

    /// <summary>Standard deviation of the logarithm of the network time, for the whole cluster at once.</summary>
    public double NetworkDeviation { get; init; } = 1.15;

    /// <summary>Correlation time of the network in seconds. Above 0.</summary>
    public double NetworkTime { get; init; } = 10;

    /// <summary>The longest queue of a server in seconds; a visit that would wait longer is refused, as by a client's time limit.</summary>
    public double LongestQueue { get; init; } = 1;

    /// <summary>
    /// The copy rate, in bytes per second, that would take a target's whole processor. An assumption, since the paper's text has no numbers for its
    /// figure 2: at 20 MB/s, a copy of 4 MB/s takes a fifth.
    /// </summary>
    public double CopyCapacity { get; init; } = 20e6;

    /// <summary>The share of the source's processor that a copy takes, relative to the share of the target's (§5.6: the source is mostly unaffected).</summary>
    public double SourceShare { get; init; } = 0.05;

    /// <summary>The loss of copy rate at a fully loaded target, as a share of the specified rate.</summary>
    public double CopySlowdown { get; init; } = 0.3;

    /// <summary>Standard deviation of the logarithm of a copy's rate.</summary>
    public double CopyDeviation { get; init; } = 0.06;

    /// <summary>The behavior of the same server with another speed.</summary>
    /// <param name="speed">The factor. Above 0.</param>
    /// <returns>The behavior of a server with a faster processor and faster copies; stalls and network stay the same.</returns>
    public ServerPhysics Scaled(double speed) => this with { GetTime = GetTime / speed, PutTime = PutTime / speed, CopyCapacity = CopyCapacity * speed };
}
