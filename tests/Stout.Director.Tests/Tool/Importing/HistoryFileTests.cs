using System.Text.Json.Nodes;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tests.Tool.Importing;

/// <summary>The file of a history.</summary>
public sealed class HistoryFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    private static ServiceHistory Some => new()
    {
        Sources = ["a query"],
        Lacks = ["the number of servers"],
        Start = new DateTimeOffset(2026, 11, 1, 0, 0, 0, TimeSpan.Zero),
        StepSeconds = 60,
        Steps = 3,
        Buckets = [0.01, 0.1],
        Bins = [new BinHistory { Name = "all", Reads = [1, double.NaN, 3], Writes = [0, double.NaN, 1] }],
        Servers = [new ServerHistory { Name = "a", Reads = [1, double.NaN, 3], Writes = [0, double.NaN, 1], Latency = [[1, 0, 0], null, [2, 1, 0]] }],
        Replicas = [1, double.NaN, 1],
    };

    [Theory]
    [InlineData("history.json")]
    [InlineData("history.json.gz")]
    public void A_history_is_read_as_it_was_written(string name)
    {
        var file = new FileInfo(Path.Combine(_folder.FullName, name));
        HistoryFile.Write(file, Some);
        var read = HistoryFile.Read(file);
        Assert.Equivalent(Some, read, strict: true);
        Assert.Equal([new Gap(1, 1)], read.Gaps());
        Assert.Equal((1, 4), (read.Slice(2, 1).Steps, read.Slice(2, 1).Rate(0)));
        Assert.Equal(Some.Start.AddMinutes(2), read.Slice(2, 1).Start);
    }

    [Theory]
    [InlineData("version", "2", "the version is 2")]
    [InlineData("format", "\"other\"", "the format is \"other\"")]
    [InlineData("steps", "4", "has to be 4 numbers")]
    [InlineData("steps", "0", "0 steps")]
    [InlineData("stepSeconds", "0", "a step has 0 s")]
    [InlineData("buckets", "[0.1,0.01]", "have to be above 0 and ascend")]
    [InlineData("buckets", "[0.1]", "3 rows, each null or 2 numbers")]
    [InlineData("replicas", "[1,-1,1]", "the number of servers has to be 3 numbers of at least 0")]
    [InlineData("bins", "[]", "there is no load")]
    [InlineData("bins", "null", "not a history")]
    [InlineData("speed", "1", "not a history of version 1")]
    public void A_history_that_does_not_fit_together_is_an_error(string property, string value, string expected)
    {
        var file = new FileInfo(Path.Combine(_folder.FullName, "history.json"));
        HistoryFile.Write(file, Some);
        var json = JsonNode.Parse(File.ReadAllText(file.FullName))!;
        json[property] = JsonNode.Parse(value);
        File.WriteAllText(file.FullName, json.ToJsonString());
        Assert.Contains(expected, Assert.Throws<HistoryException>(() => HistoryFile.Read(file)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("history.json", "")]
    [InlineData("history.json", "null")]
    [InlineData("history.json", "[]")]
    [InlineData("history.json.gz", "no gzip")]
    public void A_damaged_file_is_an_error(string name, string content)
    {
        var file = new FileInfo(Path.Combine(_folder.FullName, name));
        File.WriteAllText(file.FullName, content);
        Assert.Throws<HistoryException>(() => HistoryFile.Read(file));
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
