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
