using Stout.Hosting;

namespace Stout.Orleans.Tests.Semantics;

/// <inheritdoc/>
public sealed class AzureTablesSemantics(AzureTablesSemantics.AzureTablesCluster cluster) : GrainStorageSemantics(cluster), IClassFixture<AzureTablesSemantics.AzureTablesCluster>
{
    /// <inheritdoc/>
    public sealed class AzureTablesCluster : SemanticsCluster
    {
        /// <inheritdoc/>
        public override string? Missing => Servers.MissingAzureTables;

        /// <inheritdoc/>
        public override int Sequences => 5;

        /// <inheritdoc/>
        public override int Many => 10;

        /// <inheritdoc/>
        protected override void UseStore(StoutBuilder stout, string provider) => Servers.UseAzureTables(stout, Servers.NewName());
    }
}
