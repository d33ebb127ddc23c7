using Stout.Hosting;

namespace Stout.Orleans.Tests.Semantics;

/// <inheritdoc/>
public sealed class PostgreSqlSemantics(PostgreSqlSemantics.PostgreSqlCluster cluster) : GrainStorageSemantics(cluster), IClassFixture<PostgreSqlSemantics.PostgreSqlCluster>
{
    /// <inheritdoc/>
    public sealed class PostgreSqlCluster : SemanticsCluster
    {
        /// <inheritdoc/>
        public override string? Missing => Servers.MissingPostgreSql;

        /// <inheritdoc/>
        protected override void UseStore(StoutBuilder stout, string provider) => Servers.UsePostgreSql(stout, Servers.NewName());
    }
}
