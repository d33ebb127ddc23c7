using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>Claims whose commit fails. A fenced outcome would say that another owner has the key.</summary>
public sealed class FailedClaimTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData(raw.SQLITE_FULL, ReadOutcomeKind.Refused, StoreErrorKind.Full)]
    [InlineData(raw.SQLITE_BUSY, ReadOutcomeKind.Overloaded, StoreErrorKind.Overloaded)]
    [InlineData(raw.SQLITE_NOMEM, ReadOutcomeKind.Overloaded, StoreErrorKind.Overloaded)]
    public async Task Claim_whose_commit_certainly_failed_is_not_fenced_and_changes_nothing(int code, ReadOutcomeKind kind, StoreErrorKind error)
    {
        await using var store = await _file.OpenAsync();
        var owned = await store.ClaimAsync("owned");
        await store.PutAsync("owned", Stamp.Absent, owner: owned.Owner, parts: [Part("", "mine")]);
        FailNextCommit(code);

        var claims = await store.ClaimAsync(["owned", "absent"]);

        Assert.All(claims, claim => Assert.Equal((kind, error), (claim.Kind, Assert.IsType<StoreException>(claim.Error).Kind)));
        Assert.Equal((owned.Owner, "=mine"), ((await store.ReadAsync("owned")).Owner, Show(await store.ReadAsync("owned"))));
        Assert.Equal(KeyOwner.None, (await store.ReadAsync("absent")).Owner);
        Assert.Equal((2, 1), ((await store.ClaimAsync("owned")).Owner.Epoch, (await store.ClaimAsync("absent")).Owner.Epoch));
    }

    [Fact]
    public async Task Claim_whose_commit_failed_with_the_disk_is_unknown()
    {
        await using var store = await _file.OpenAsync();
        await store.ClaimAsync("owned");
        FailNextCommit(raw.SQLITE_IOERR);

        var claims = await store.ClaimAsync(["owned", "absent"]);

        Assert.All(claims, static claim => Assert.Equal((ReadOutcomeKind.Unknown, StoreErrorKind.Unknown), (claim.Kind, Assert.IsType<StoreException>(claim.Error).Kind)));
    }

    private void FailNextCommit(int code) => _file.AtStep = step =>
    {
        if (step != "before the commit")
            return;
        _file.AtStep = null;
        throw new SqliteFailure(code, "planted");
    };
}
