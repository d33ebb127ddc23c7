using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests;

/// <summary>Directors that observe, that wait for approval, and that act.</summary>
public sealed class ModeTests
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);
    private static readonly DirectorPolicy OneReplica = Some.Plain with { LeastReplicas = 1, ReadFanOut = 1 };

    [Fact]
    public async Task An_observer_decides_and_changes_nothing()
    {
        var cluster = new OverloadedCluster();
        var runner = new DirectorRunner(Core(DirectorMode.Observe), cluster, cluster);
        await runner.StartAsync(TimeSpan.Zero, TestContext.Current.CancellationToken);
        Assert.NotEmpty((await runner.PlanAsync(Period, TestContext.Current.CancellationToken)).Actions);
        Assert.Equal(0, await runner.AdvanceAsync(Period, TestContext.Current.CancellationToken));
        Assert.Equal(0, await runner.ApproveAsync(Period, [1, 2, 3], TestContext.Current.CancellationToken));
        Assert.Empty(cluster.Calls);
    }

    [Fact]
    public async Task Actions_wait_for_approval_and_keep_their_ids_from_plan_to_plan()
    {
        var cluster = new OverloadedCluster();
        var runner = new DirectorRunner(Core(DirectorMode.Approve), cluster, cluster);
        await runner.StartAsync(TimeSpan.Zero, TestContext.Current.CancellationToken);
        var first = Assert.Single((await runner.PlanAsync(Period, TestContext.Current.CancellationToken)).Actions);
        Assert.Equal(0, await runner.AdvanceAsync(Period, TestContext.Current.CancellationToken));
        Assert.Equal(first.Id, Assert.Single((await runner.PlanAsync(Period * 2, TestContext.Current.CancellationToken)).Actions).Id);

        Assert.Equal(0, await runner.ApproveAsync(Period * 2, [first.Id + 1], TestContext.Current.CancellationToken));
        Assert.Equal(1, await runner.ApproveAsync(Period * 2, [first.Id], TestContext.Current.CancellationToken));
        Assert.Equal(1, await runner.AdvanceAsync(Period * 2, TestContext.Current.CancellationToken));
        Assert.Equal(["claim", "LeaseServer"], cluster.Calls);
    }

    [Fact]
    public async Task A_recorder_that_fails_stops_no_plan_and_every_decision_tells_it()
    {
        var cluster = new OverloadedCluster();
        var settings = Some.Settings(3, OneReplica);
        using var disk = new FullDisk();
        var recorder = new Stout.Director.Recordings.RecordingWriter(disk, settings);
        disk.IsFull = true;
        var runner = new DirectorRunner(new DirectorCore(settings), cluster, cluster, recorder);
        await runner.StartAsync(TimeSpan.Zero, TestContext.Current.CancellationToken);
        for (var plan = 1; plan <= 3; plan++)
        {
            var decision = await runner.PlanAsync(Period * plan, TestContext.Current.CancellationToken);
            Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.NotRecorded && finding.Text.Contains("The disk is full", StringComparison.Ordinal));
        }

        Assert.Equal(1, await runner.AdvanceAsync(Period * 3, TestContext.Current.CancellationToken));
    }

    private static DirectorCore Core(DirectorMode mode) => new(Some.Settings(3, OneReplica with { Mode = mode }));

    private sealed class FullDisk : MemoryStream
    {
        public bool IsFull { get; set; }

        public override void Write(byte[] buffer, int offset, int count)
        {
            if (IsFull)
                throw new IOException("The disk is full.");
            base.Write(buffer, offset, count);
        }

        public override void Write(ReadOnlySpan<byte> buffer) => Write(buffer.ToArray(), 0, buffer.Length);
    }

    /// <summary>Two servers, both so full that a third one is needed. It grants no lease, and notes all changes that are asked for.</summary>
    private sealed class OverloadedCluster : IElasticCluster, IIntentStore
    {
        private long _sequence;

        public List<string> Calls { get; } = [];

        public ValueTask<long> ClaimAsync(CancellationToken cancellationToken)
        {
            Calls.Add("claim");
            return ValueTask.FromResult(1L);
        }

        public ValueTask<ClusterObservation> ObserveAsync(bool withReports, CancellationToken cancellationToken) =>
            ValueTask.FromResult(Some.Cluster(2, [[1], [1], [2]], [700, 600, 900], fanOut: 1, sequence: ++_sequence));

        public ValueTask<CommandOutcome> SendAsync(ClusterCommand command, long epoch, CancellationToken cancellationToken)
        {
            Calls.Add(command.GetType().Name);
            return ValueTask.FromResult(CommandOutcome.Unknown);
        }

        public ValueTask WriteAsync(long epoch, IReadOnlyList<DirectorAction> actions, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask<IReadOnlyList<DirectorAction>> ReadAsync(long epoch, CancellationToken cancellationToken) => ValueTask.FromResult<IReadOnlyList<DirectorAction>>([]);
    }
}
