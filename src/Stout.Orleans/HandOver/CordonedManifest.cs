using System.Collections.Immutable;
using Orleans.Metadata;
using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>The cluster's manifest as this silo's placement filters see it: the application's grains have the filter of the cordon.</summary>
internal sealed class CordonedManifest(IServiceProvider services, IClusterManifestProvider manifests) : IClusterManifestProvider
{
    /// <summary>The placement of stateless workers. Its class is not public.</summary>
    private const string StatelessWorkers = "StatelessWorkerPlacement";

    private readonly StoutCordonFilter _filter = new();
    private Tuple<ClusterManifest, ClusterManifest>? _known;

    /// <inheritdoc/>
    public ClusterManifest Current
    {
        get
        {
            var current = manifests.Current;
            if (_known is { } known && ReferenceEquals(known.Item1, current))
                return known.Item2;
            var cordoned = new ClusterManifest(current.Version, ImmutableDictionary<SiloAddress, GrainManifest>.Empty, [.. current.AllGrainManifests.Select(Cordoned)]);
            _known = Tuple.Create(current, cordoned);
            return cordoned;
        }
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<ClusterManifest> Updates => manifests.Updates;

    /// <inheritdoc/>
    public GrainManifest LocalGrainManifest => manifests.LocalGrainManifest;

    private GrainManifest Cordoned(GrainManifest manifest) => new(
        manifest.Grains.ToImmutableDictionary(grain => grain.Key, grain => IsCordoned(grain.Value.Properties) ? Cordoned(grain.Key, grain.Value) : grain.Value),
        manifest.Interfaces);

    private GrainProperties Cordoned(GrainType type, GrainProperties grain)
    {
        var properties = grain.Properties.ToDictionary(StringComparer.Ordinal);
        // A filter without properties of its own does not use the class, which this silo may not have.
        _filter.PopulateGrainProperties(services, typeof(object), type, properties);
        return new GrainProperties(properties.ToImmutableDictionary(StringComparer.Ordinal));
    }

    /// <summary>Stateless workers stay where they are called.</summary>
    private static bool IsCordoned(ImmutableDictionary<string, string> properties) =>
        properties.GetValueOrDefault(WellKnownGrainTypeProperties.PlacementStrategy) != StatelessWorkers
        && !OrleansOwn.IsOne(properties.GetValueOrDefault(WellKnownGrainTypeProperties.FullTypeName));
}
