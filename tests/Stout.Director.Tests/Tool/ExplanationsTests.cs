using Stout.Director.Recordings;
using Stout.Director.Tool.Commands;

namespace Stout.Director.Tests.Tool;

public sealed class ExplanationsTests
{
    private static readonly DirectorSettings Settings = Some.Settings(2);

    [Fact]
    public void Times_have_a_date_where_the_recording_knows_when_it_began()
    {
        Assert.StartsWith("At 2026-03-01 00:00:20 UTC the load was", First(new DateTimeOffset(2026, 2, 28, 23, 59, 0, TimeSpan.Zero), TimeSpan.FromSeconds(80)), StringComparison.Ordinal);
        Assert.StartsWith("At 00:01:20 the load was", First(null, TimeSpan.FromSeconds(80)), StringComparison.Ordinal);
        Assert.StartsWith("At 2.00:00:20 the load was", First(null, TimeSpan.FromDays(2) + TimeSpan.FromSeconds(20)), StringComparison.Ordinal);
    }

    [Fact]
    public void An_observation_that_the_Director_refused_is_told()
    {
        var cluster = Some.Cluster(2, [[1, 2], [1, 2]], [400, 400]) with { Servers = [] };
        using var stream = new MemoryStream();
        using (var writer = new RecordingWriter(stream, Settings))
        {
            writer.Began(TimeSpan.Zero, 1, []);
            writer.Planned(TimeSpan.FromSeconds(20), cluster);
        }

        var line = Assert.Single(Explanations.Of(Recording.Read(new MemoryStream(stream.ToArray())), _ => true, null, null));
        Assert.StartsWith("At 00:00:20 the Director refused the observation, and planned nothing: The cluster has no live server", line, StringComparison.Ordinal);
    }

    // The first line about a plan, of a recording that is still written.
    private static string First(DateTimeOffset? startedAt, TimeSpan at)
    {
        using var stream = new MemoryStream();
        using var writer = new RecordingWriter(stream, Settings, startedAt);
        writer.Began(TimeSpan.Zero, 1, []);
        writer.Planned(at, Some.Cluster(2, [[1, 2], [1, 2]], [400, 400]));
        return Explanations.Of(Recording.Read(new MemoryStream(stream.ToArray()), acceptTruncated: true), _ => true, null, null).First();
    }
}
