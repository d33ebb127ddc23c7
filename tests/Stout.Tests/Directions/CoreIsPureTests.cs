using Stout.Lanes.Core;

namespace Stout.Tests.Directions;

/// <summary>The core of a lane is a state machine: its compiled code uses no tasks, threads, timers, clocks or locks, and no type of its shell or clients.</summary>
public sealed class CoreIsPureTests : IDisposable
{
    private static readonly string[] Impure =
    [
        "System.Threading.Tasks.",
        "System.Threading.Thread",
        "System.Threading.Timer",
        "System.Threading.ITimer",
        "System.Threading.IThreadPoolWorkItem",
        "System.Threading.Lock",
        "System.Threading.Monitor",
        "System.Threading.SemaphoreSlim",
        "System.Threading.Cancellation",
        "System.TimeProvider",
        "Stout.Lanes.Shell.",
        "Stout.Paper.",
        "Stout.Documents.",
        "Stout.Hosting.",
        "Stout.StoutClient",
    ];

    private readonly CompiledTypes _types = new(typeof(LaneCore).Assembly);

    [Fact]
    public void No_type_of_the_core_uses_tasks_threads_timers_or_the_shell() => Assert.Empty(ImpureUsesOf("Stout.Lanes.Core."));

    [Theory]
    [InlineData("System.Threading.Tasks.Task")]
    [InlineData("System.Threading.Tasks.TaskCompletionSource`1")]
    [InlineData("System.Threading.Thread")]
    [InlineData("System.Threading.CancellationTokenSource")]
    public void The_same_reading_finds_them_in_the_shell(string type) =>
        Assert.Contains(ImpureUsesOf("Stout.Lanes.Shell."), use => use.EndsWith(" → " + type, StringComparison.Ordinal));

    public void Dispose() => _types.Dispose();

    private List<string> ImpureUsesOf(string space) =>
        [.. from type in _types.Uses
            where type.Key.StartsWith(space, StringComparison.Ordinal)
            from used in type.Value
            where Array.Exists(Impure, impure => used.StartsWith(impure, StringComparison.Ordinal))
            select $"{type.Key} → {used}"];
}
