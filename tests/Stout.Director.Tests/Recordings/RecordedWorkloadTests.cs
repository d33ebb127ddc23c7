using Stout.Director.Recordings;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests.Recordings;

public sealed class RecordedWorkloadTests
{
    private static readonly int[][] Replicas = [[1, 2], [2, 1], [1, 2]];

    [Fact]
    public void Between_two_plans_the_load_is_the_one_that_the_later_plan_measured()
    {
        double[][] gets = [[100, 50, 10], [200, 50, 10], [0, 70, 30]];
        double[][] puts = [[5, 0, 1], [10, 0, 1], [0, 2, 2]];
        var workload = RecordedWorkload.Of(Record([.. gets.Zip(puts)]));
        Assert.Equal((3, TimeSpan.FromSeconds(60)), (workload.Bins, workload.Length));
        Assert.Equal(gets.Sum(row => row.Sum()) / (gets.Sum(row => row.Sum()) + puts.Sum(row => row.Sum())), workload.GetShare, 9);
        for (var second = 0; second < 60; second++)
        {
            // The plan at 20 s has recorded the load of the first 20 s, and so on.
            var plan = second / 20;
            var total = gets[plan].Sum() + puts[plan].Sum();
            Assert.Equal(total, workload.Rate(second), 9);
            Assert.Equal(plan, workload.ShapeVersion(second));
            var shares = new double[3];
            workload.FillShares(second, shares);
            Assert.Equal(1, shares.Sum(), 9);
            for (var bin = 0; bin < 3; bin++)
                Assert.Equal((gets[plan][bin] + puts[plan][bin]) / total, shares[bin], 9);
        }
    }

    [Fact]
    public void Before_its_beginning_and_after_its_end_the_first_and_the_last_load_hold()
    {
        var workload = RecordedWorkload.Of(Record(([100, 0, 0], [0, 0, 0]), ([300, 0, 0], [0, 0, 0])));
        Assert.Equal(100, workload.Rate(-600), 9);
        Assert.Equal(300, workload.Rate(10_000), 9);
    }

    [Fact]
    public void A_time_without_load_is_part_of_the_load()
    {
        var workload = RecordedWorkload.Of(Record(([0, 0, 0], [0, 0, 0]), ([100, 0, 0], [0, 0, 0]), ([0, 0, 0], [0, 0, 0]), ([300, 0, 0], [0, 0, 0])));
        Assert.Equal((100, 0, 300), (workload.Rate(10), workload.Rate(30), workload.Rate(50)));
        Assert.Equal(TimeSpan.FromSeconds(60), workload.Length);
        Assert.Equal(TimeSpan.Zero, workload.Gaps);
    }

    [Fact]
    public void A_recording_with_fewer_than_two_plans_under_load_is_refused()
    {
        Assert.Throws<RecordingException>(() => RecordedWorkload.Of(Record()));
        Assert.Throws<RecordingException>(() => RecordedWorkload.Of(Record(([0, 0, 0], [0, 0, 0]), ([1, 0, 0], [0, 0, 0]))));
    }

    private static Recording Record(params IReadOnlyList<(double[] Gets, double[] Puts)> plans)
    {
        using var stream = new MemoryStream();
        using (var writer = new RecordingWriter(stream, Some.Settings(3)))
        {
            writer.Began(TimeSpan.Zero, 1, []);
            foreach (var (i, (gets, puts)) in plans.Index())
                writer.Planned(TimeSpan.FromSeconds(20 * (i + 1)), Some.Cluster(2, Replicas, gets, puts, sequence: i + 1));
        }

        stream.Position = 0;
        return Recording.Read(stream);
    }
}
