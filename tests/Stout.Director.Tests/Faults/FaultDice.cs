namespace Stout.Director.Tests.Faults;

/// <summary>Decides at random whether faults happen, and counts the Director's crashes by place.</summary>
internal sealed class FaultDice(int seed)
{
    public Random Random { get; } = new(seed);

    /// <summary>Whether faults happen.</summary>
    public bool IsOn { get; set; } = true;

    /// <summary>Whether a fault may last longer than the time with faults.</summary>
    public bool MayOutlast { get; set; } = true;

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
