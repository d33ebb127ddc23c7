using Stout.Director.Tool.Histories;
using Stout.Director.Tool.Importing;

namespace Stout.Director.Tests.Tool.Importing;

/// <summary>The import of CSV files, and its errors with their lines.</summary>
public sealed class CsvImportTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    [Fact]
    public void Rows_of_servers_become_a_divisible_load_with_latency_by_server()
    {
        var history = Import("time,server,reads,writes,10,100", "2026-11-01T00:00:00Z,a,100,10,0.1,0", "2026-11-01T00:00:00Z,b,50,0,0.2,0.02", "2026-11-01T00:01:00Z,a,120,12,0.1,0", "2026-11-01T00:01:00Z,b,60,0,0.2,0.02");
        Assert.Equal(new DateTimeOffset(2026, 11, 1, 0, 0, 0, TimeSpan.Zero), history.Start);
        Assert.Equal((60.0, 2, true), (history.StepSeconds, history.Steps, history.IsDivisible));
        Assert.Equal([160.0, 192.0], Enumerable.Range(0, 2).Select(history.Rate));
        Assert.Equal([0.01, 0.1], history.Buckets);
        Assert.Equal([90, 10, 0], history.Servers[0].Latency![0]!);
        Assert.Equal([40, 9, 1], history.Servers[1].Latency![0]!);
        Assert.Equal([2.0, 2.0], history.Replicas);
    }

    [Fact]
    public void Rows_of_bins_stay_apart()
    {
        var history = Import("time,bin,reads,writes", "1793491200,a-m,100,10", "1793491200,n-z,50,1", "1793491215,a-m,110,10", "1793491215,n-z,40,1");
        Assert.Equal(["a-m", "n-z"], history.Bins.Select(bin => bin.Name));
        Assert.Equal([50.0, 40.0], history.Bins[1].Reads);
        Assert.Equal(15, history.StepSeconds);
        Assert.Contains(history.Lacks, lack => lack.StartsWith("Latency:", StringComparison.Ordinal));
    }

    [Fact]
    public void Missing_times_are_gaps_and_not_a_load_of_zero()
    {
        var history = Import("time,requests", "2026-11-01T00:00:00Z,100", "2026-11-01T00:01:00Z,100", "2026-11-01T00:04:00Z,100");
        Assert.Equal([new Gap(2, 2)], history.Gaps());
        Assert.Contains(history.Lacks, lack => lack.Contains("2 of 5 steps", StringComparison.Ordinal));
    }

    [Fact]
    public void A_server_that_lost_a_step_leaves_the_total_unknown()
    {
        var history = Import("time,server,reads", "2026-11-01T00:00:00Z,a,100", "2026-11-01T00:00:00Z,b,100", "2026-11-01T00:01:00Z,a,100", "2026-11-01T00:02:00Z,a,100", "2026-11-01T00:02:00Z,b,100");
        Assert.Equal([new Gap(1, 1)], history.Gaps());
    }

    [Fact]
    public void Times_with_different_offsets_are_the_same_times()
    {
        var history = Import("time,requests", "2026-10-25T02:59:00+02:00,1", "2026-10-25T02:00:00+01:00,2", "2026-10-25T01:01:00Z,3");
        Assert.Equal((3, 0), (history.Steps, history.Gaps().Count));
    }

    [Theory]
    [InlineData("line 1: the file is empty")]
    [InlineData("line 1: the column \"time\" is missing", "at,reads")]
    [InlineData("line 1: the column \"reads\"", "time,writes")]
    [InlineData("line 1: the column \"speed\" is not known", "time,reads,speed")]
    [InlineData("line 1: the column \"reads\" is there twice", "time,reads,reads")]
    [InlineData("line 2: there are no rows", "time,reads")]
    [InlineData("line 2: 1 cells; the first line has 2", "time,reads", "1793491200")]
    [InlineData("line 3: \"NaN\" in column \"reads\" is not a finite number", "time,reads", "1793491200,1", "1793491260,NaN")]
    [InlineData("line 2: \"1e999\" in column \"reads\"", "time,reads", "1793491200,1e999", "1793491260,1")]
    [InlineData("line 3: the cell of column \"reads\" is empty", "time,reads", "1793491200,1", "1793491260,")]
    [InlineData("line 2: \"-1\" in column \"reads\" is negative", "time,reads", "1793491200,-1", "1793491260,1")]
    [InlineData("line 2: \"1.5\" in column \"100\" is not a share", "time,reads,100", "1793491200,1,1.5", "1793491260,1,0")]
    [InlineData("line 3: 2026-11-01 00:00:00Z comes after", "time,reads", "1793491260,1", "1793491200,1")]
    [InlineData("line 3: 2026-11-01 00:00:00Z is there twice", "time,reads", "1793491200,1", "1793491200,1")]
    [InlineData("line 3: 2026-11-01 00:00:00Z is there twice", "time,server,reads", "1793491200,a,1", "1793491200,a,1")]
    [InlineData("line 2: \"2026-11-01T00:00:00\" has no time zone", "time,reads", "2026-11-01T00:00:00,1", "2026-11-01T00:01:00,1")]
    [InlineData("line 3: \"1793491260\" is in Unix seconds, and the times before have a time zone", "time,reads", "2026-11-01T00:00:00Z,1", "1793491260,1")]
    [InlineData("line 2: \"yesterday\" is not a time", "time,reads", "yesterday,1")]
    [InlineData("line 4: 2026-11-01 00:02:30Z is not a whole number of steps of 60 s", "time,reads", "1793491200,1", "1793491260,1", "1793491350,1")]
    [InlineData("there is one time only", "time,reads", "1793491200,1")]
    [InlineData("steps from the first to the last time", "time,reads", "1,1", "2,1", "1793491260,1")]
    [InlineData("line 2: a quote is not closed", "time,reads", "\"1793491200,1", "1793491260,1")]
    [InlineData("line 2: the bin has no name", "time,bin,reads", "1793491200,,1", "1793491260,,1")]
    [InlineData("line 3: 3, and another row of this time has 2", "time,server,reads,servers", "1793491200,a,1,2", "1793491200,b,1,3", "1793491260,a,1,2")]
    [InlineData("is not cumulative", "time,reads,10,100", "1793491200,10,0.1,0.2", "1793491260,10,0.1,0")]
    public void Bad_files_are_errors_with_their_line(string expected, params string[] lines)
    {
        var error = Assert.Throws<ImportException>(() => Import(lines));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_line_without_an_end_does_not_fill_the_memory()
    {
        var error = Assert.Throws<ImportException>(() => Import("time,reads", new string('1', 1 << 17)));
        Assert.Contains("line 2: a line of more than 64 KB", error.Message, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private ServiceHistory Import(params string[] lines)
    {
        var file = new FileInfo(Path.Combine(_folder.FullName, "load.csv"));
        File.WriteAllLines(file.FullName, lines);
        return CsvHistories.Read([file], isUtc: false, step: null);
    }
}
