namespace Stout.Argon.Engine;

/// <summary>
/// The counts and the disk time of a service. The totals only grow. The figures of an epoch begin anew at <see cref="BeginEpoch"/>; an epoch is a measuring
/// period: one trial or one check of the service's profile.
/// </summary>
internal sealed class ServiceCounters
{
    private long _epochReferences;
    private long _epochAbsorbed;
    private TimeSpan _epochDiskTime;
    private long _windowReferences;
    private long _windowAbsorbed;

    /// <summary>References to blocks.</summary>
    public long References { get; set; }

    /// <summary>References that need no disk access: read hits, except the first hit of a prefetched block, and overwrites of dirty blocks.</summary>
    public long Absorbed { get; set; }

    /// <summary>Time in which a disk worked for the service.</summary>
    public TimeSpan DiskTime { get; set; }

    public long BlocksRead { get; set; }

    public long BlocksWritten { get; set; }

    public long Syncs { get; set; }

    public long EpochReferences => References - _epochReferences;

    /// <summary>The absorbed fraction of the references since the epoch began.</summary>
    public double EpochAbsorbed => EpochReferences == 0 ? 0 : (double)(Absorbed - _epochAbsorbed) / EpochReferences;

    /// <summary>Disk time per reference that was not absorbed, since the epoch began.</summary>
    public TimeSpan EpochMissTime => (DiskTime - _epochDiskTime) / Math.Max(1, EpochReferences - (Absorbed - _epochAbsorbed));

    /// <summary>
    /// The number of references since the present half of the epoch began. <see cref="WindowAbsorbed"/> is the absorbed fraction of these references.
    /// </summary>
    public long WindowReferences => References - _windowReferences;

    public double WindowAbsorbed => WindowReferences == 0 ? 0 : (double)(Absorbed - _windowAbsorbed) / WindowReferences;

    public void BeginEpoch()
    {
        (_epochReferences, _epochAbsorbed, _epochDiskTime) = (References, Absorbed, DiskTime);
        BeginWindow();
    }

    public void BeginWindow() => (_windowReferences, _windowAbsorbed) = (References, Absorbed);
}
