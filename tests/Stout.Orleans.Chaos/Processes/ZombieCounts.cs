namespace Stout.Orleans.Chaos.Processes;

/// <summary>The outcomes of writes that waited in silos which were suspended until others had declared them dead.</summary>
internal sealed class ZombieCounts
{
    /// <summary>Suspensions after which the silo's writes came out.</summary>
    public int Zombies { get; set; }

    /// <summary>Writes of documents that a newer owner had, and that were fenced.</summary>
    public int Fenced { get; set; }

    /// <summary>Writes that were acknowledged: the checks see whether a newer owner had the document.</summary>
    public int Done { get; set; }

    /// <summary>Writes without an answer, or with another one.</summary>
    public int Others { get; set; }

    public override string ToString() => FormattableString.Invariant($"writes of {Zombies} silos that came back from the dead: {Fenced} fenced, {Done} done, {Others} others");
}
