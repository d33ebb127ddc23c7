using Microsoft.Extensions.DependencyInjection;
using Stout.Hosting;

namespace Stout.Orleans.Tests.Semantics;

/// <inheritdoc/>
public sealed class SqliteSemantics(SqliteSemantics.SqliteCluster cluster) : GrainStorageSemantics(cluster), IClassFixture<SqliteSemantics.SqliteCluster>
{
    /// <inheritdoc/>
    public sealed class SqliteCluster : SemanticsCluster
    {
        private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-orleans-");

        /// <inheritdoc/>
        public override async ValueTask DisposeAsync()
        {
            await base.DisposeAsync();
            _folder.Delete(recursive: true);
        }

        /// <inheritdoc/>
        protected override void UseStore(StoutBuilder stout, string provider) => stout.UseSqlite(Path.Combine(_folder.FullName, provider + ".db"));
    }
}
