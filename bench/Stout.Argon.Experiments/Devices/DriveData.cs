namespace Stout.Argon.Experiments.Devices;

/// <summary>The figures of a rotating drive, as in a data sheet.</summary>
/// <param name="Name">The drive.</param>
/// <param name="Year">The year in which it came out.</param>
/// <param name="Rpm">Rotations a minute.</param>
/// <param name="AverageSeek">The average seek of reads, in ms.</param>
/// <param name="TrackToTrack">The seek to the next track, in ms.</param>
/// <param name="TrackBytes">The bytes of one track.</param>
/// <param name="Capacity">The bytes of the whole drive.</param>
internal sealed record DriveData(string Name, int Year, double Rpm, double AverageSeek, double TrackToTrack, double TrackBytes, double Capacity)
{
    /// <summary>
    /// The disk of the paper's experiments: 7,200 rpm and an average seek of 8.5 ms. The 63.5 MB/s are reconstructed from the paper's streaming throughput.
    /// </summary>
    public static DriveData Paper { get; } = new("paper", 2006, 7_200, 8.5, 0.8, 63.5e6 * 60 / 7_200, 250e9);

    /// <summary>A large drive of today: 250 MB/s.</summary>
    public static DriveData Modern { get; } = new("modern", 2024, 7_200, 8.5, 0.5, 250e6 * 60 / 7_200, 16e12);

    /// <summary>
    /// Five disks like those of the paper's table, whose models and numbers are lost in our copy of the paper. The numbers here follow drives of those makers
    /// and years, and have not been checked against data sheets. The bytes of a track are the sustained transfer rate times the time of a rotation.
    /// </summary>
    public static IReadOnlyList<DriveData> Table { get; } =
    [
        new("IBM DCHS (Ultrastar 2ES), SCSI", 1994, 5_400, 9.5, 1.0, 5e6 * 60 / 5_400, 1e9),
        new("Seagate Cheetah 4LP", 1996, 10_033, 7.7, 1.0, 13.0e6 * 60 / 10_033, 4.5e9),
        new("Maxtor Atlas 10K III", 2002, 10_000, 4.5, 0.4, 45e6 * 60 / 10_000, 36.7e9),
        new("Seagate Cheetah 15K.4", 2005, 15_000, 3.5, 0.2, 77e6 * 60 / 15_000, 146e9),
        new("Seagate Barracuda 7200", 2006, 7_200, 8.5, 0.8, 63.5e6 * 60 / 7_200, 250e9),
    ];

    public TimeSpan Rotation => TimeSpan.FromMinutes(1 / Rpm);

    public double BytesPerSecond => TrackBytes / Rotation.TotalSeconds;

    /// <summary>
    /// The time of a seek over <paramref name="distance"/>, a fraction of the disk: a + b·√distance. Here a is the seek to the next track, and b makes the mean
    /// over random pairs of places equal the average seek.
    /// </summary>
    public TimeSpan Seek(double distance)
    {
        const double MeanRoot = 8.0 / 15;
        return distance == 0 ? TimeSpan.Zero : TimeSpan.FromMilliseconds(TrackToTrack + ((AverageSeek - TrackToTrack) / MeanRoot * Math.Sqrt(distance)));
    }
}
