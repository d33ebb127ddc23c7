using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Stout.Hosting;
using Stout.Orleans.Chaos.Grains;
using Stout.Tests.Shared;

namespace Stout.Orleans.Chaos.Silos;

/// <summary>Configures a silo of a chaos run.</summary>
internal static class SiloSetup
{
    /// <summary>The service id of every cluster. Clusters with the same service id use the same keys.</summary>
    public const string ServiceId = "chaos";

    private static readonly TimeSpan AtTheEnd = TimeSpan.FromMinutes(2);

    /// <summary>Adds the storage, the clock and the services of the grains.</summary>
    /// <param name="silo">The silo.</param>
    /// <param name="time">The silo's clock.</param>
    /// <param name="useStore">Chooses Stout's store.</param>
    /// <param name="handsOver">Whether the silo hands its grains over when it leaves.</param>
    /// <param name="bug">A planted bug.</param>
    public static void Configure(ISiloBuilder silo, DriftingTime time, Action<StoutBuilder> useStore, bool handsOver, PlantedBug bug = PlantedBug.None)
    {
        if (handsOver)
            silo.AddStoutHandOver();
        silo.Services.AddLogging(static logging => logging.ClearProviders());
        silo.Services.AddSingleton(time).AddSingleton<TimeProvider>(time).AddSingleton<EndSaves>().AddSingleton(new Planted(bug));
        silo.AddStoutGrainStorageAsDefault(
            stout =>
            {
                useStore(stout);
                if (bug == PlantedBug.IgnoresOwner)
                    stout.WrapStore(static (_, store) => new WrappedStorage(store, static partition => new OwnerlessPartition(partition)));
                // Short time limits, so that an unreachable store leaves some outcomes unknown, and some changes unsent.
                stout.Services.Configure<StoutOptions>(stout.Name, static options =>
                    (options.ResolveUnknownFor, options.UnreachableTimeout, options.RequestTimeout) = (TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(3)));
            },
            (StoutGrainStorageOptions options) =>
            {
                options.GrainStorageSerializer = new DocumentSerializer();
                options.Ownership = bug == PlantedBug.NoClaims ? GrainOwnership.None : GrainOwnership.Claim;
            });
        // Long time limits, so that a silo that leaves under load still has time for its grains' saves.
        silo.Services.Configure<HostOptions>(static options => options.ShutdownTimeout = AtTheEnd);
        silo.Services.Configure<GrainCollectionOptions>(static options => options.DeactivationTimeout = AtTheEnd);
        silo.Services.Configure<SiloMessagingOptions>(static options => options.ResponseTimeout = TimeSpan.FromSeconds(10));
        if (bug == PlantedBug.RepliesEarly)
            silo.Services.RemoveAll<IIncomingGrainCallFilter>();
        if (bug == PlantedBug.SkipsDrain)
            silo.Services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, DrainSkipper>();
    }
}
