namespace Stout.Orleans.Chaos.Processes;

/// <summary>The outcomes of writes that waited in silos which were suspended until others had declared them dead.</summary>
internal sealed class ZombieCounts
{
    /// <summary>The number of suspended silos that were resumed.</summary>
    public int Zombies { get; set; }

    /// <summary>The number of writes that were fenced, since a newer owner had the document.</summary>
    public int Fenced { get; set; }

    /// <summary>The number of acknowledged writes. If the document of such a write had a newer owner, the checks after the run report the write.</summary>
    public int Done { get; set; }

    /// <summary>The number of writes with another answer, or without one.</summary>
    public int Others { get; set; }

    public override string ToString() => FormattableString.Invariant($"writes of {Zombies} silos that came back from the dead: {Fenced} fenced, {Done} done, {Others} others");
}
