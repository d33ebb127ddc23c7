using Linearizability;

namespace Replicas.Tests.Checker;

/// <summary>Recorders of several processes write files that join to one history.</summary>
public sealed class HistoryFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("stout-history-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Files_join_to_the_operations_that_were_recorded()
    {
        using (var one = new HistoryRecorder(File("one")))
        using (var two = new HistoryRecorder(File("two")))
        {
            var write = one.Invoke("a", "key", OperationKind.Write, "x");
            var change = two.Invoke("b", "key", OperationKind.Change, "y", expected: "x");
            one.Return(write);
            two.Return(change, "x");
            two.Return(two.Invoke("b", "key", OperationKind.Read), "y");
            two.Return(two.Invoke("b", "other", OperationKind.Read), null);
        }

        var history = History.Read(File("one"), File("two"));

        Assert.Equal(
            ["write \"x\"", "change \"x\" to \"y\", saw \"x\"", "read, saw \"y\"", "read, saw (none)"],
            history.Select(operation => operation.ToString()[(operation.ToString().IndexOf(':', StringComparison.Ordinal) + 2)..]));
        Assert.Equal(["a", "b", "b", "b"], history.Select(operation => operation.Client));
        Assert.All(history, operation => Assert.InRange(operation.Returned, operation.Invoked, Operation.Never - 1));
        Assert.All(LinearizabilityChecker.Check(history), verdict => Assert.Equal(Linearizable.Yes, verdict.Result));
    }

    [Fact]
    public void Operation_without_an_end_is_open_a_failed_one_and_an_unanswered_read_are_left_out()
    {
        using (var recorder = new HistoryRecorder(File("one")))
        {
            recorder.Invoke("a", "key", OperationKind.Write, "open");
            recorder.Invoke("a", "key", OperationKind.Read);
            recorder.Fail(recorder.Invoke("a", "key", OperationKind.Write, "failed"));
        }

        var operation = Assert.Single(History.Read(File("one")));
        Assert.Equal(("open", true), (operation.Value, operation.IsOpen));
    }

    [Fact]
    public void Torn_last_line_of_a_killed_process_counts_as_not_written()
    {
        using (var recorder = new HistoryRecorder(File("one")))
            recorder.Return(recorder.Invoke("a", "key", OperationKind.Write, "x"));
        using (var file = new FileStream(File("one"), FileMode.Open))
            file.SetLength(file.Length - 5);

        Assert.True(Assert.Single(History.Read(File("one"))).IsOpen);
    }

    [Fact]
    public void Operation_that_ends_twice_is_refused()
    {
        using (var recorder = new HistoryRecorder(File("one")))
        {
            var write = recorder.Invoke("a", "key", OperationKind.Write, "x");
            recorder.Return(write);
            recorder.Fail(write);
        }

        Assert.Throws<InvalidDataException>(() => History.Read(File("one")));
    }

    private string File(string name) => Path.Combine(_folder, name);
}
