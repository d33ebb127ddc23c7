using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables.Setup;

/// <summary>Makes what is missing of a set of partitions, and checks that they belong together.</summary>
/// <remarks>
/// Any number of clients may do so at once, and each may die in the midst: the first partition's row, which only one of them can insert,
/// names the set, and says last of all that it is whole. A set that was whole once is never mended: what is missing then is lost.
/// </remarks>
internal sealed class SetSetup(IReadOnlyList<PartitionTable> tables, AzureTablesOptions options)
{
    private PartitionTable First => tables[0];

    /// <exception cref="StoreException">The set can't be used.</exception>
    public async ValueTask RunAsync(CancellationToken cancellationToken)
    {
        if (options.CreateMissing)
        {
            for (var i = 0; i < tables.Count; i += options.PartitionsPerAccount)
                await tables[i].CreateTableAsync(cancellationToken).ConfigureAwait(false);
        }

        // The others are read after the first: once it says that the set is whole, they have to be there.
        var first = await FindAsync(First, cancellationToken).ConfigureAwait(false) ?? await BeginAsync(cancellationToken).ConfigureAwait(false);
        (first with { Partitions = tables.Count }).Check(first, 0);
        await CheckOthersAsync(first, cancellationToken).ConfigureAwait(false);
        if (!first.IsReady)
            await FinishAsync(cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<Identity> BeginAsync(CancellationToken cancellationToken)
    {
        var others = await FindOthersAsync(cancellationToken).ConfigureAwait(false);
        if (Array.Exists(others, static identity => identity is not null))
            return await FindAsync(First, cancellationToken).ConfigureAwait(false) ?? throw Missing(0);
        return await InsertAsync(First, new Identity($"{Guid.NewGuid():N}", 0, tables.Count, IsReady: false, ""), cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask CheckOthersAsync(Identity first, CancellationToken cancellationToken)
    {
        var others = await FindOthersAsync(cancellationToken).ConfigureAwait(false);
        for (var i = 1; i < tables.Count; i++)
        {
            var identity = others[i - 1];
            if (identity is null && first.IsReady)
                throw Missing(i);
            identity ??= await InsertAsync(tables[i], first with { Partition = i, IsReady = false }, cancellationToken).ConfigureAwait(false);
            first.Check(identity, i);
        }
    }

    private Task<Identity?[]> FindOthersAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(tables.Skip(1).Select(table => FindAsync(table, cancellationToken).AsTask()));

    private static async ValueTask<Identity?> FindAsync(PartitionTable table, CancellationToken cancellationToken) =>
        await table.FindAsync(RowKeys.Identity, select: null, cancellationToken).ConfigureAwait(false) is { } row ? Identity.Of(row) : null;

    /// <returns>What is there now: another client may have been faster.</returns>
    private static async ValueTask<Identity> InsertAsync(PartitionTable table, Identity identity, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        identity.AddTo(body);
        await CommitAsync(table, body, cancellationToken).ConfigureAwait(false);
        return await FindAsync(table, cancellationToken).ConfigureAwait(false) ?? throw Missing(identity.Partition);
    }

    private async ValueTask FinishAsync(CancellationToken cancellationToken)
    {
        if (await FindAsync(First, cancellationToken).ConfigureAwait(false) is not { IsReady: false } first)
            return;
        using var body = First.NewTransaction();
        body.BeginMerge(RowKeys.Identity, first.ETag).WriteBoolean("Ready", true);
        body.End();
        await CommitAsync(First, body, cancellationToken).ConfigureAwait(false);
    }

    private static async ValueTask CommitAsync(PartitionTable table, TransactionBody body, CancellationToken cancellationToken)
    {
        var answer = await table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
        if (answer.ETags is null && !TableErrors.IsFailedCondition(answer.Status, answer.Code))
            throw TableErrors.Of(answer.Status, answer.Code);
    }

    private static StoreException Missing(int partition) => Identity.Foreign($"set is missing: number {partition}");
}
