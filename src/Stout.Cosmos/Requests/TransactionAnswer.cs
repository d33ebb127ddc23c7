using System.Net;

namespace Stout.Cosmos.Requests;

/// <summary>The result of a transaction: committed as a whole, or not at all because one operation failed.</summary>
internal sealed class TransactionAnswer
{
    private readonly string[] _etags;

    private TransactionAnswer(string[] etags, int failed, HttpStatusCode status) => (_etags, Failed, Status) = (etags, failed, status);

    public bool IsCommitted => Failed < 0;

    /// <summary>The index of the failed operation, or −1.</summary>
    public int Failed { get; }

    /// <summary>The status of the failed operation.</summary>
    public HttpStatusCode Status { get; }

    /// <summary>Whether the operation's condition failed: the item exists, is missing, or has changed.</summary>
    public bool IsConditionFailed => IsCondition(Status);

    public static TransactionAnswer Committed(string[] etags) => new(etags, -1, HttpStatusCode.OK);

    public static TransactionAnswer FailedAt(int operation, HttpStatusCode status) => new([], operation, status);

    public static bool IsCondition(HttpStatusCode status) =>
        status is HttpStatusCode.Conflict or HttpStatusCode.PreconditionFailed or HttpStatusCode.NotFound;

    /// <summary>The item's ETag after an operation.</summary>
    public string ETagOf(int operation) => _etags[operation];
}
