namespace Stout.Tests.Pacing.Model;

/// <summary>Mean latency of writes over any span of whole seconds, by the time of their answers.</summary>
internal sealed class LatencyLog
{
    private readonly List<(double Writes, double Milliseconds)> _seconds = [];

    public void Add(TimeSpan answeredAt, int writes, double milliseconds)
    {
        var second = (int)answeredAt.TotalSeconds;
        while (_seconds.Count <= second)
            _seconds.Add(default);
        _seconds[second] = (_seconds[second].Writes + writes, _seconds[second].Milliseconds + milliseconds);
    }

    public double Mean(int fromSecond, int toSecond)
    {
        var span = _seconds.Skip(fromSecond).Take(toSecond - fromSecond).ToList();
        return span.Sum(s => s.Milliseconds) / span.Sum(s => s.Writes);
    }
}
