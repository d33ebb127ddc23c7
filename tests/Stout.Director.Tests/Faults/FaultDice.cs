namespace Stout.Director.Tests.Faults;

/// <summary>Decides at random where faults happen, and counts where the Director died.</summary>
internal sealed class FaultDice(int seed)
{
    public Random Random { get; } = new(seed);

    /// <summary>Faults happen only while this is on.</summary>
    public bool IsOn { get; set; } = true;

    public Dictionary<string, int> Crashes { get; } = [];

    public bool Roll(double chance) => IsOn && Random.NextDouble() < chance;

    public void MayCrash(string where)
    {
        if (!Roll(0.012))
            return;
        Crashes[where] = Crashes.GetValueOrDefault(where) + 1;
        throw new CrashException();
    }
}
