namespace Stout.Experiments.Workloads;

/// <summary>How many requests per second are offered over time. The load is open: no client waits for a reply before its next request.</summary>
internal sealed class LoadProfile : IEquatable<LoadProfile>
{
    private LoadProfile(params IReadOnlyList<LoadStep> steps) => Steps = steps;

    /// <summary>The steps in the order of time; the first begins at time 0.</summary>
    public IReadOnlyList<LoadStep> Steps { get; }

    public static LoadProfile Constant(double perSecond) => new(new LoadStep(TimeSpan.Zero, perSecond));

    public static LoadProfile Step(double before, TimeSpan at, double after) => new(new LoadStep(TimeSpan.Zero, before), new LoadStep(at, after));

    public bool Equals(LoadProfile? other) => other is not null && Steps.SequenceEqual(other.Steps);

    public override bool Equals(object? obj) => Equals(obj as LoadProfile);

    public override int GetHashCode() => Steps[0].GetHashCode();

    /// <summary>The mean rate over a span.</summary>
    public double Mean(TimeSpan from, TimeSpan to)
    {
        double requests = 0;
        for (var i = 0; i < Steps.Count; i++)
        {
            var begin = Steps[i].From > from ? Steps[i].From : from;
            var next = i + 1 < Steps.Count ? Steps[i + 1].From : to;
            var end = next < to ? next : to;
            if (end > begin)
                requests += Steps[i].PerSecond * (end - begin).TotalSeconds;
        }

        return requests / (to - from).TotalSeconds;
    }
}

/// <summary>A rate in requests/s that is offered from a time on.</summary>
internal readonly record struct LoadStep(TimeSpan From, double PerSecond);
