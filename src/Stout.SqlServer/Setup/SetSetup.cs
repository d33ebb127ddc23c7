using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Setup;

/// <summary>Sets up the databases of a set if they are new, and refuses what is not one whole set.</summary>
/// <remarks>
/// Several servers may start at once, and each may die at any moment. Nothing is stored before every database has an identity; then
/// each is told that the set is ready. So while none is ready what is missing is made; once one is, none may be missing.
/// </remarks>
internal sealed class SetSetup(IReadOnlyList<Database> databases, SqlServerOptions options)
{
    private readonly List<DatabaseSetup> _setups = [.. databases.Select(static database => new DatabaseSetup(database))];

    /// <exception cref="StoreException">What is there is not one whole set, or can't be used.</exception>
    public async ValueTask RunAsync(CancellationToken token)
    {
        var found = new List<Identity?>();
        foreach (var setup in _setups)
        {
            if (options.CreateMissing)
                await setup.MakeSchemaAsync(token).ConfigureAwait(false);
            else if (!await setup.HasSchemaAsync(token).ConfigureAwait(false))
                throw new StoreException(StoreErrorKind.Foreign, "A database has not been set up: a person has to run deploy/schemas/sqlserver there.");
            if (!options.AllowDelayedDurability && await setup.DelaysDurabilityAsync(token).ConfigureAwait(false))
            {
                throw new StoreException(
                    StoreErrorKind.Refused,
                    $"A database has DELAYED_DURABILITY = FORCED, so that acknowledged data can be lost; {nameof(SqlServerOptions.AllowDelayedDurability)} would take it.");
            }

            found.Add(await setup.ReadIdentityAsync(token).ConfigureAwait(false));
        }

        await CompleteAsync(found, token).ConfigureAwait(false);
        for (var i = 0; i < _setups.Count; i++)
        {
            if (found[i] is not { IsReady: true })
                await _setups[i].SayReadyAsync(token).ConfigureAwait(false);
        }
    }

    private async ValueTask CompleteAsync(List<Identity?> found, CancellationToken token)
    {
        var begun = found.Any(static identity => identity is { IsReady: true });
        var setId = found.FirstOrDefault(static identity => identity is not null)?.SetId ?? Guid.NewGuid();
        for (var i = 0; i < _setups.Count; i++)
        {
            if (found[i] is null && begun)
            {
                // It may have been made since, by a server that starts beside this one.
                found[i] = await _setups[i].ReadIdentityAsync(token).ConfigureAwait(false)
                    ?? throw new StoreException(StoreErrorKind.Foreign, $"The database for partition {i} is empty; others of its set are not.");
            }

            if (found[i] is null)
            {
                await _setups[i].WriteIdentityAsync(Identity.Of(setId, i, _setups.Count), token).ConfigureAwait(false);
                found[i] = await _setups[i].ReadIdentityAsync(token).ConfigureAwait(false);
            }

            // The first database decides, for all who start at once.
            if (i == 0)
                setId = found[i]!.SetId;
            found[i]!.Check(Identity.Of(setId, i, _setups.Count));
        }
    }
}
