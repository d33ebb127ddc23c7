namespace Stout.Argon.Configuration;

/// <summary>The model of a service's throughput (the paper, section 3.4): S = p·S_hit + (1−p)·S_miss, throughput = 1/S.</summary>
internal static class ThroughputModel
{
    /// <summary>References per second with the server to itself and all of its cache.</summary>
    public static double Alone(PlannedService service, int cache)
    {
        var absorbed = service.Absorbed(Math.Max(0, cache - service.Buffers));
        return 1 / Math.Max(1e-9, (absorbed * service.HitTime.TotalSeconds) + ((1 - absorbed) * service.MissTime.TotalSeconds));
    }

    /// <summary>References per second in a share: a miss takes the disk at the service's turns only, and a quantum loses a part of its time.</summary>
    public static double Shared(PlannedService service, double absorbed) =>
        1 / Math.Max(1e-9, (absorbed * service.HitTime.TotalSeconds) + ((1 - absorbed) * service.MissTime.TotalSeconds / (service.Share * service.DiskEfficiency)));

    /// <summary>The least partition in frames that gives R × share × alone, or null where the whole cache does not.</summary>
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
