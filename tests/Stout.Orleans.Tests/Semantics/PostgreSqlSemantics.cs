using Microsoft.Extensions.DependencyInjection;
using Stout.Hosting;

namespace Stout.Orleans.Tests.Semantics;

/// <inheritdoc/>
public sealed class PostgreSqlSemantics(PostgreSqlSemantics.PostgreSqlCluster cluster) : GrainStorageSemantics(cluster), IClassFixture<PostgreSqlSemantics.PostgreSqlCluster>
{
    /// <inheritdoc/>
    public sealed class PostgreSqlCluster : SemanticsCluster
    {
        private readonly string _run = Guid.NewGuid().ToString("N")[..8];

        /// <inheritdoc/>
        public override string? Missing => PostgreSqlServer.Missing;

        /// <inheritdoc/>
        protected override void UseStore(StoutBuilder stout, string provider) =>
            PostgreSqlServer.Use(stout, $"orleans_{_run}_{provider.Replace('-', '_').ToLowerInvariant()}");
    }
}
