using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Hosting;

namespace Stout.Orleans.Tests.Semantics;

/// <summary>One silo with the four kinds of providers on one kind of store.</summary>
public abstract class SemanticsCluster : IAsyncLifetime
{
    private InProcessTestCluster? _cluster;

    /// <summary>The reason to skip the tests; null if the store is available.</summary>
    public virtual string? Missing => null;

    /// <summary>The number of random sequences of calls that are compared with the model: fewer where each call takes long.</summary>
    public virtual int Sequences => 100;

    /// <summary>The number of states that are written and read at once: fewer where each call takes long.</summary>
    public virtual int Many => 100;

    public IGrainStorage this[string provider] => _cluster!.StorageOf(provider);

    public virtual async ValueTask InitializeAsync()
    {
        if (Missing is not null)
            return;
        _cluster = await TestCluster.StartAsync(1, silo =>
        {
            foreach (var (name, ownership, deletes) in ProviderNames.All)
            {
                silo.AddStoutGrainStorage(name, stout => UseStore(stout, name), (StoutGrainStorageOptions options) =>
                {
                    options.Ownership = ownership;
                    options.DeleteStateOnClear = deletes;
                });
            }
        });
    }

    public virtual async ValueTask DisposeAsync()
    {
        if (_cluster is not null)
            await _cluster.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Chooses the store of one provider.</summary>
    protected abstract void UseStore(StoutBuilder stout, string provider);
}
