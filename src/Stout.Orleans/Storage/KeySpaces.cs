using Microsoft.Extensions.Options;
using Orleans.Metadata;
using Stout.Orleans.Hosting;

namespace Stout.Orleans.Storage;

/// <summary>Tells which providers of the silo have the same keys.</summary>
internal sealed class KeySpaces
{
    private readonly Dictionary<string, KeySpace> _spaces = [];

    public KeySpaces(IEnumerable<StoutStorageName> names, IOptionsMonitor<StoutGrainStorageOptions> options, GrainClassMap classes)
    {
        foreach (var client in names.GroupBy(static name => name.Client, static name => name.Name).Where(static client => client.Skip(1).Any()))
        {
            foreach (var providers in client.GroupBy(name => options.Get(name).KeyPrefix).Where(static space => space.Skip(1).Any()))
            {
                var space = new KeySpace(classes, providers.ToHashSet());
                foreach (var provider in providers)
                    _spaces[provider] = space;
            }
        }
    }

    /// <summary>The key spaces with several providers.</summary>
    public IEnumerable<KeySpace> Shared => _spaces.Values.Distinct();

    /// <summary>The keys that a provider shares with others; null if its keys are its own.</summary>
    public KeySpace? Of(string provider) => _spaces.GetValueOrDefault(provider);
}
