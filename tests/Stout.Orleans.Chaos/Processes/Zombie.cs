using System.Diagnostics;
using Stout.Orleans.Chaos.Faults;
using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Processes;

/// <summary>
/// A fault: a silo is suspended until the others have declared it dead and have activated its grains. Then the silo is resumed, and goes on with writes
/// that waited in it, before it learns that it was declared dead.
/// </summary>
internal static class Zombie
{
    private const int MostWrites = 8;

    public static async Task RunAsync(FaultScene scene, ProcessSilo silo, ZombieCounts counts)
    {
        var clients = scene.Clients;
        clients.Avoided = silo;
        silo.Suspend();
        var resumed = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        var documents = clients.DocumentsOn(silo).TakeLast(MostWrites).ToList();
        var waiting = documents.Select(document => clients.WriteAsync(silo, document, resumed.Task)).ToList();

        ChaosSilo? living;
        do
        {
            await scene.GoOnAsync(0.02);
            living = scene.Cluster.Silos.FirstOrDefault(other => !ReferenceEquals(other, silo) && other.IsRunning);
        }
        while (living is null || await living.AskAsync(new SiloRequest(0, RequestKind.IsActive) { Value = silo.Name }) is not { Outcome: Outcome.Done, IsActive: false });
        // These writes give the same documents newer owners.
        await Task.WhenAll(documents.Select(document => clients.WriteAsync(living, document)));
        await scene.GoOnAsync(0.05);

        resumed.SetResult(Stopwatch.GetTimestamp());
        silo.Resume();
        var answers = await Task.WhenAll(waiting);
        counts.Zombies++;
        counts.Fenced += answers.Count(answer => answer is { IsFenced: true });
        counts.Done += answers.Count(answer => answer is { Outcome: Outcome.Done });
        counts.Others += answers.Count(answer => answer is not ({ IsFenced: true } or { Outcome: Outcome.Done }));
        await silo.KillAsync();
        clients.Avoided = null;
        await silo.StartAsync();
    }
}
