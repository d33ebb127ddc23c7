using Stout.Hosting;

namespace Stout.Orleans.Tests.Semantics;

/// <inheritdoc/>
public sealed class InMemorySemantics(InMemorySemantics.InMemoryCluster cluster) : GrainStorageSemantics(cluster), IClassFixture<InMemorySemantics.InMemoryCluster>
{
    /// <inheritdoc/>
    public sealed class InMemoryCluster : SemanticsCluster
    {
        /// <inheritdoc/>
        protected override void UseStore(StoutBuilder stout, string provider) => stout.UseInMemory();
    }
}
