using Stout.Orleans.HandOver;

namespace Stout.Orleans.Tests.Stops;

/// <summary>The bounds of the grains that are on their way.</summary>
public sealed class HandOverGateTests
{
    [Fact]
    public void Grains_wait_for_one_another_in_the_order_in_which_they_came()
    {
        var gate = new HandOverGate(mostGrains: 2, mostBytes: 100);
        Task[] grains = [.. Enumerable.Range(0, 4).Select(_ => gate.EnterAsync(1))];
        Assert.Equal([true, true, false, false], grains.Select(static grain => grain.IsCompleted));
        gate.Leave(1);
        Assert.Equal([true, true, true, false], grains.Select(static grain => grain.IsCompleted));
    }

    [Fact]
    public void A_large_grain_goes_alone()
    {
        var gate = new HandOverGate(mostGrains: 10, mostBytes: 100);
        Task[] grains = [gate.EnterAsync(60), gate.EnterAsync(1_000), gate.EnterAsync(40)];
        Assert.Equal([true, false, false], grains.Select(static grain => grain.IsCompleted));
        gate.Leave(60);
        Assert.Equal([true, true, false], grains.Select(static grain => grain.IsCompleted));
        gate.Leave(1_000);
        Assert.True(grains[2].IsCompleted);
    }

    [Fact]
    public void An_open_gate_holds_no_grain()
    {
        var gate = new HandOverGate(mostGrains: 1, mostBytes: 100);
        Task[] grains = [gate.EnterAsync(100), gate.EnterAsync(100)];
        gate.Open();
        Assert.True(grains[1].IsCompleted);
        Assert.True(gate.EnterAsync(100).IsCompleted);
    }
}
