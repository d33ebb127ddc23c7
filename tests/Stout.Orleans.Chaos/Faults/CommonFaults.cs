using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Faults;

/// <summary>The faults of every kind of cluster.</summary>
internal static class CommonFaults
{
    public const string SecondActivations = "second activations";
    public const string Leaves = "left and joined";

    public static IReadOnlyList<Fault> Of(FaultScene scene) =>
    [
        new("killed", 4, () => KillAsync(scene)),
        new(Leaves, 4, () => LeaveAsync(scene)),
        new(SecondActivations, 6, () => ActivateTwiceAsync(scene)),
        new("store cut", 3, () => CutAsync(scene)),
        new("store delayed", 3, () => DelayAsync(scene)),
        new("clock set", 2, () => SetClockAsync(scene)),
    ];

    private static async Task KillAsync(FaultScene scene)
    {
        var silo = scene.AnySilo();
        await silo.KillAsync();
        await scene.GoOnAsync(0.25);
        await silo.StartAsync();
    }

    private static async Task LeaveAsync(FaultScene scene)
    {
        var silo = scene.AnySilo();
        scene.Clients.Observations.AddSaves(await silo.LeaveAsync());
        await scene.GoOnAsync(0.25);
        await silo.StartAsync();
    }

    private static async Task ActivateTwiceAsync(FaultScene scene)
    {
        scene.Clients.UsesOther = true;
        await scene.GoOnAsync(0.5);
        scene.Clients.UsesOther = false;
    }

    private static async Task CutAsync(FaultScene scene)
    {
        var silo = scene.AnySilo();
        silo.Cut(true);
        await scene.GoOnAsync(0.2);
        silo.Cut(false);
    }

    private static async Task DelayAsync(FaultScene scene)
    {
        var silo = scene.AnySilo();
        silo.Delay(TimeSpan.FromMilliseconds(scene.Random.Next(10, 300)));
        await scene.GoOnAsync(0.2);
        silo.Delay(TimeSpan.Zero);
    }

    private static async Task SetClockAsync(FaultScene scene) => await scene.AnySilo().AskAsync(new SiloRequest(0, RequestKind.SetClock)
    {
        ClockOffset = TimeSpan.FromMinutes(scene.Random.Next(61)),
        ClockRate = 0.9 + (scene.Random.NextDouble() / 5),
    });
}
