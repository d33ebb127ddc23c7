namespace Stout.Storage;

/// <summary>
/// The extent of a store error. A client whose store refuses every request is not ready: see <see cref="StoutStatistics.StoreRefusal"/>.
/// </summary>
public enum StoreErrorScope
{
    /// <summary>One request, or one key of it. Other requests may pass.</summary>
    Request,

    /// <summary>Every request to the store partition until its credentials, permissions or missing table are repaired.</summary>
    Partition,

    /// <summary>Every request to the store partition until the client is opened again.</summary>
    Client,
}
