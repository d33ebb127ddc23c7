using System.Net;

namespace Stout.Cosmos.Requests;

/// <summary>How a transaction ended: committed as a whole, or not at all because one operation failed.</summary>
internal sealed class TransactionAnswer
{
    private readonly string[] _etags;

    private TransactionAnswer(string[] etags, int failed, HttpStatusCode status) => (_etags, Failed, Status) = (etags, failed, status);

    public bool IsCommitted => Failed < 0;

    /// <summary>The operation that failed; −1 if none did.</summary>
    public int Failed { get; }

    /// <summary>What the failed operation met.</summary>
    public HttpStatusCode Status { get; }

    /// <summary>Whether it failed for the condition that it was sent with: the item is there, is not there, or has changed.</summary>
    public bool IsConditionFailed => IsCondition(Status);

    public static TransactionAnswer Committed(string[] etags) => new(etags, -1, HttpStatusCode.OK);

    public static TransactionAnswer FailedAt(int operation, HttpStatusCode status) => new([], operation, status);

    public static bool IsCondition(HttpStatusCode status) =>
        status is HttpStatusCode.Conflict or HttpStatusCode.PreconditionFailed or HttpStatusCode.NotFound;

    /// <summary>The ETag that an operation has left.</summary>
    public string ETagOf(int operation) => _etags[operation];
}
