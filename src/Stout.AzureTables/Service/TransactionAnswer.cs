using Azure;

namespace Stout.AzureTables.Service;

/// <summary>What the service answered to an entity group transaction: committed, or stopped by one of its operations.</summary>
/// <param name="ETags">The new ETag of each operation's row, in their order (null for rows that went); null if nothing was committed.</param>
/// <param name="Status">If nothing was committed: the status of the operation that stopped it.</param>
/// <param name="Code">The service's code for why.</param>
/// <param name="Operation">Which operation it was, from 0; null if the service did not say.</param>
internal sealed record TransactionAnswer(IReadOnlyList<ETag?>? ETags, int Status = 0, string? Code = null, int? Operation = null);
