using System.Text.Json;
using Stout.Director.Decisions;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Recordings;

public sealed class RecordingTests
{
    private static readonly Lazy<(byte[] Bytes, IReadOnlyList<Decision> Decisions)> Recorded = new(Record);

    [Fact]
    public void Replaying_a_recording_yields_the_live_decisions_bit_for_bit()
    {
        var live = Recorded.Value.Decisions;
        var replayed = Recording.Read(new MemoryStream(Recorded.Value.Bytes)).Replay()
            .Select(step => step.Decision).Where(decision => decision is { Actions.Count: > 0 } or { Findings.Count: > 0 }).ToList();
        Assert.True(live.Count > 10);
        Assert.Equal(live.Select(Text), replayed.Select(decision => Text(decision!)));
    }

    [Fact]
    public void A_recording_has_the_clients_load()
    {
        var loads = Recording.Read(new MemoryStream(Recorded.Value.Bytes)).Loads().ToList();
        Assert.InRange(loads[20].Load.Total.Total, 29_000, 31_000);
        Assert.InRange(loads[^1].Load.Total.Total, 58_000, 62_000);
    }

    [Fact]
    public void A_truncated_recording_is_refused_unless_it_is_asked_for()
    {
        var bytes = Recorded.Value.Bytes;
        foreach (var length in new[] { 0, 5, 100, bytes.Length / 2, bytes.Length - 20 })
            Assert.Throws<RecordingException>(() => Recording.Read(new MemoryStream(bytes[..length])));
        var part = Recording.Read(new MemoryStream(bytes[..(bytes.Length / 2)]), acceptTruncated: true);
        Assert.False(part.IsWhole);
        Assert.NotEmpty(part.Replay());
    }

    [Fact]
    public void An_observation_that_the_Director_refused_is_a_step_of_its_own_and_the_replay_goes_on()
    {
        var settings = Some.Settings(2);
        using var stream = new MemoryStream();
        var core = new DirectorCore(settings);
        var live = new List<Decision>();
        using (var writer = new RecordingWriter(stream, settings))
        {
            writer.Began(TimeSpan.Zero, 1, []);
            core.Begin(TimeSpan.Zero, 1, []);
            for (var plan = 1; plan <= 4; plan++)
            {
                var now = TimeSpan.FromSeconds(20 * plan);
                var cluster = Some.Cluster(2, [[1, 2], [1, 2]], [400 + plan, 400], sequence: plan);
                // The second observation has no live server.
                if (plan == 2)
                    cluster = cluster with { Servers = [] };
                writer.Planned(now, cluster);
                if (plan == 2)
                    Assert.Throws<ObservationException>(() => core.Plan(now, cluster));
                else
                    live.Add(core.Plan(now, cluster));
            }
        }

        var recording = Recording.Read(new MemoryStream(stream.ToArray()));
        var steps = recording.Replay().ToList();
        Assert.Equal([false, true, false, false], steps.Select(step => step.Refused is not null));
        Assert.Contains("no live server", steps[1].Refused, StringComparison.Ordinal);
        Assert.Equal(live.Select(Text), steps.Where(step => step.Decision is not null).Select(step => Text(step.Decision!)));
        Assert.Equal(3, recording.Loads().Count());
    }

    [Fact]
    public void A_recording_of_a_Director_that_still_runs_can_be_read_up_to_its_last_plan()
    {
        var settings = Some.Settings(2);
        using var stream = new MemoryStream();
        using var writer = new RecordingWriter(stream, settings);
        writer.Began(TimeSpan.Zero, 1, []);
        for (var plan = 1; plan <= 3; plan++)
        {
            writer.Planned(TimeSpan.FromSeconds(20 * plan), Some.Cluster(2, [[1, 2], [1, 2]], [400, 400], sequence: plan));
            var read = Recording.Read(new MemoryStream(stream.ToArray()), acceptTruncated: true);
            Assert.False(read.IsWhole);
            Assert.Equal(plan, read.Replay().Count());
        }
    }

    [Fact]
    public void Orders_approvals_and_measured_latency_are_replayed()
    {
        var settings = Some.Settings(2, Some.Plain with { LeastReplicas = 1, ReadFanOut = 1, Mode = DirectorMode.Approve });
        using var stream = new MemoryStream();
        var core = new DirectorCore(settings);
        Decision? live = null;
        using (var writer = new RecordingWriter(stream, settings))
        {
            writer.Began(TimeSpan.Zero, 1, []);
            core.Begin(TimeSpan.Zero, 1, []);
            for (var plan = 1; plan <= 4; plan++)
            {
                var cluster = Some.Cluster(2, [[1], [2]], [400, 300], fanOut: 1, sequence: plan) with
                {
                    Orders = new Dictionary<int, Stout.Director.Layouts.ServerOrder> { [1] = Stout.Director.Layouts.ServerOrder.Drain },
                    SlowShare = 0.05,
                };
                var now = TimeSpan.FromSeconds(20 * plan);
                writer.Planned(now, cluster);
                live = core.Plan(now, cluster);
                if (plan != 2)
                    continue;
                long[] ids = [.. live.Actions.Select(action => action.Id)];
                writer.Approved(now, ids);
                Assert.Equal(1, core.Approve(now, ids));
            }
        }

        var last = Recording.Read(new MemoryStream(stream.ToArray())).Replay().Last().Decision!;
        Assert.Equal(Text(live!), Text(last));
        Assert.DoesNotContain(last.Actions, action => action.Bins.Contains(0));
        Assert.Contains(last.Findings, finding => finding.Kind == FindingKind.ModelMismatch);
    }

    [Fact]
    public void Something_else_is_no_recording() => Assert.Throws<RecordingException>(() => Recording.Read(new MemoryStream("minute,requests\n"u8.ToArray())));

    private static (byte[] Bytes, IReadOnlyList<Decision> Decisions) Record()
    {
        using var stream = new MemoryStream();
        var policy = DirectorPolicy.Default with { BootTime = TimeSpan.FromMinutes(3), ChargeInterval = TimeSpan.FromMinutes(60) };
        var model = TrainedModels.SmallInstance;
        SimulationResult result;
        using (var writer = new RecordingWriter(stream, new DirectorSettings(policy, [model.Type with { Memory = 800_000_000 }], 200)))
            result = SimulationRun.Run(PaperScenarios.Hotspot(model, policy, 1, SimulationMode.Flow, writer), cancellationToken: TestContext.Current.CancellationToken);
        return (stream.ToArray(), result.Decisions);
    }

    private static string Text(Decision decision) => JsonSerializer.Serialize(decision);
}
