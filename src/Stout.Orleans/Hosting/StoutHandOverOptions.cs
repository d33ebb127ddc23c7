namespace Stout.Orleans;

/// <summary>The options of the hand-over with which a silo stops.</summary>
public sealed class StoutHandOverOptions
{
    /// <summary>The grains that are handed over. Default: the grains with states in Stout.</summary>
    public HandOverGrains Grains { get; set; }

    /// <summary>
    /// The share of the host's <c>HostOptions.ShutdownTimeout</c> that the hand-over may take, above 0 and below 1. Then the silo stops as without a hand-over,
    /// and makes all writes durable in the rest of the time. Default: 0.5, which is 15 s of .NET's 30 s.
    /// An infinite time-out counts as 30 s.
    /// </summary>
    public double TimeShare { get; set; } = 0.5;

    internal StoutHandOverOptions Copy() => (StoutHandOverOptions)MemberwiseClone();
}
