namespace Stout.Argon.Configuration;

/// <summary>
/// The partitions of all services (the paper, sections 3.4 and 4.4). Each insulated service gets its smallest sufficient partition, each other service the
/// least partition. The remaining frames are divided evenly among the services in a trial; if there are no trials, among all services that are not idle.
/// </summary>
/// <param name="Targets">The partitions, in frames.</param>
/// <param name="Least">The smallest sufficient partitions; 0 where the whole cache does not suffice.</param>
/// <param name="Fits">Whether a service has at least its smallest sufficient partition.</param>
internal sealed record PartitionPlan(IReadOnlyList<int> Targets, IReadOnlyList<int> Least, IReadOnlyList<bool> Fits)
{
    /// <param name="insulation">The insulation R: see <see cref="ArgonOptions.Insulation"/>.</param>
    /// <param name="cache">The number of frames of the cache.</param>
    /// <param name="floor">The smallest number of frames of a service.</param>
    /// <param name="services">All services, in the order of their addition.</param>
    public static PartitionPlan Of(double insulation, int cache, int floor, IReadOnlyList<PlannedService> services)
    {
        var least = new int[services.Count];
        var fits = new bool[services.Count];
        var left = cache - (floor * services.Count);
        // Services that were insulated in the last plan come first, so that they stay insulated.
        foreach (var i in Enumerable.Range(0, services.Count).Where(i => !services[i].Trial && !services[i].Idle).OrderBy(i => services[i].BestEffort))
        {
            if (ThroughputModel.LeastPartition(services[i], insulation, cache) is not { } needed)
                continue;
            least[i] = Math.Max(floor, needed);
            if (least[i] - floor > left)
                continue;
            left -= least[i] - floor;
            fits[i] = true;
        }

        var targets = Enumerable.Range(0, services.Count).Select(i => fits[i] ? least[i] : floor).ToArray();
        var takers = Enumerable.Range(0, services.Count).Where(i => services[i].Trial).ToList();
        if (takers.Count == 0)
            takers = [.. Enumerable.Range(0, services.Count).Where(i => !services[i].Idle)];
        if (takers.Count == 0)
            takers = [.. Enumerable.Range(0, services.Count)];
        for (var k = 0; k < takers.Count; k++)
            targets[takers[k]] += (left / takers.Count) + (k < left % takers.Count ? 1 : 0);
        return new PartitionPlan(targets, least, fits);
    }
}
