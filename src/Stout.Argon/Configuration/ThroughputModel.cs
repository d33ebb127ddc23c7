namespace Stout.Argon.Configuration;

/// <summary>
/// The model of a service's throughput (the paper, section 3.4): 1/S, where S = p·S_hit + (1−p)·S_miss. S is the mean time of a reference, and p the
/// absorbed fraction.
/// </summary>
internal static class ThroughputModel
{
    /// <summary>The service's references per second if it had the whole server and cache.</summary>
    public static double Alone(PlannedService service, int cache)
    {
        var absorbed = service.Absorbed(Math.Max(0, cache - service.Buffers));
        return 1 / Math.Max(1e-9, (absorbed * service.HitTime.TotalSeconds) + ((1 - absorbed) * service.MissTime.TotalSeconds));
    }

    /// <summary>
    /// The service's references per second with its share: misses use the disk only in the service's turns, and quanta lose part of their time.
    /// </summary>
    public static double Shared(PlannedService service, double absorbed) =>
        1 / Math.Max(1e-9, (absorbed * service.HitTime.TotalSeconds) + ((1 - absorbed) * service.MissTime.TotalSeconds / (service.Share * service.DiskEfficiency)));

    /// <summary>
    /// The smallest partition, in frames, that gives <paramref name="insulation"/> × share × the throughput alone; null if the whole cache does not suffice.
    /// </summary>
    public static int? LeastPartition(PlannedService service, double insulation, int cache)
    {
        var needed = insulation * service.Share * Alone(service, cache) * (1 - 1e-9);
        var reuse = cache - service.Buffers;
        if (reuse < 0 || Shared(service, service.Absorbed(reuse)) < needed)
            return null;
        var (low, high) = (0, reuse);
        while (low < high)
        {
            var middle = low + ((high - low) / 2);
            if (Shared(service, service.Absorbed(middle)) >= needed)
                high = middle;
            else
                low = middle + 1;
        }

        return low + service.Buffers;
    }
}
