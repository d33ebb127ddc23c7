namespace Stout.Argon.Configuration;

/// <summary>
/// The model of a service's throughput (the paper, section 3.4): 1/S, where S is the mean time of a reference. S = S_hit + (1−p)·S_miss, with the absorbed
/// fraction p of the disk time. Shorter accesses of streams need fewer frames and more positioning.
/// </summary>
internal static class ThroughputModel
{
    /// <summary>The least blocks of a stream's access; the least partition has space for several.</summary>
    private const int LeastAccess = 16;

    /// <summary>The service's references per second if it had the whole server and cache.</summary>
    /// <remarks>Frames for streams and requests keep blocks too while they are not in use, so the profile's value for the whole cache is promised.</remarks>
    public static double Alone(PlannedService service, int cache)
    {
        var access = Math.Min(service.MostAccess, service.Streams > 0 ? Math.Max(1, (int)((cache - service.Buffers) / service.Streams)) : int.MaxValue);
        return 1 / Math.Max(1e-9, service.HitTime.TotalSeconds + Missed(service, service.Absorbed(cache), access));
    }

    /// <summary>
    /// The service's references per second with its share: misses use the disk only in the service's turns, and quanta lose part of their time.
    /// </summary>
    /// <param name="service">The service.</param>
    /// <param name="frames">The frames of its partition.</param>
    public static double Shared(PlannedService service, int frames) =>
        1 / Math.Max(1e-9, service.HitTime.TotalSeconds + (Best(service, frames).Missed / (service.Share * service.DiskEfficiency)));

    /// <summary>The blocks of an access with which a stream of the service and its reused blocks share a partition best.</summary>
    public static int Access(PlannedService service, int frames) => Best(service, frames).Access;

    /// <summary>
    /// The smallest partition, in frames, that gives <paramref name="insulation"/> × share × the throughput alone; null if the whole cache does not suffice.
    /// </summary>
    public static int? LeastPartition(PlannedService service, double insulation, int cache)
    {
        var needed = insulation * service.Share * Alone(service, cache) * (1 - 1e-9);
        if (cache < service.Buffers || Shared(service, cache) < needed)
            return null;
        var (low, high) = (service.Buffers, cache);
        while (low < high)
        {
            var middle = low + ((high - low) / 2);
            if (Shared(service, middle) >= needed)
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }

    private static double Missed(PlannedService service, double absorbed, int access) =>
        ((1 - absorbed) * service.MissTime.TotalSeconds) + (service.StreamPositioning.TotalSeconds * Math.Max(0, (1.0 / access) - (1.0 / service.MostAccess)));

    private static (double Missed, int Access) Best(PlannedService service, int frames)
    {
        var space = frames - service.Buffers;
        if (service.Streams == 0 || space <= 0)
            return (Missed(service, space <= 0 ? 0 : service.Absorbed(space), service.MostAccess), service.MostAccess);
        var most = Math.Clamp((int)(space / service.Streams), 1, service.MostAccess);
        var best = (Missed: double.PositiveInfinity, Access: most);
        for (var access = service.MostAccess; ; access = Math.Max(LeastAccess, access / 2))
        {
            var length = Math.Clamp(access, 1, most);
            if (Missed(service, service.Absorbed(Math.Max(0, space - (int)Math.Ceiling(service.Streams * length))), length) is var missed && missed < best.Missed)
                best = (missed, length);
            if (access <= LeastAccess)
                return best;
        }
    }
}
