namespace Stout.AspNetCore;

/// <summary>The types of the problems (RFC 9457), by which a client tells them apart. They are stable.</summary>
public static class StoutProblemTypes
{
    /// <summary>An id is empty, too long or ill-formed. Status 400.</summary>
    public const string InvalidKey = Prefix + "invalid-key";

    /// <summary>The id of a request is no UUID of version 7, or its time lies in the future. Status 400.</summary>
    public const string InvalidRequestId = Prefix + "invalid-request-id";

    /// <summary>Another process has changed the object. Nothing was changed. Status 409.</summary>
    public const string Conflict = Prefix + "conflict";

    /// <summary>The change is larger than the store can commit at once. Nothing was changed. Status 413.</summary>
    public const string ChangeTooLarge = Prefix + "change-too-large";

    /// <summary>The object would become larger than the service keeps. Nothing was changed. Status 413.</summary>
    public const string ObjectTooLarge = Prefix + "object-too-large";

    /// <summary>The request fails by a fault of the service or of its store, and would fail again. Status 500, without <c>Retry-After</c>.</summary>
    public const string ServerFault = Prefix + "server-fault";

    /// <summary>Too many changes wait to become durable. Nothing was changed. Status 503 with <c>Retry-After</c>.</summary>
    public const string Overloaded = Prefix + "overloaded";

    /// <summary>The store can't be used at present. Nothing was changed. Status 503 with <c>Retry-After</c>.</summary>
    public const string StoreUnavailable = Prefix + "store-unavailable";

    /// <summary>Another server owns the object. Nothing was changed. Status 503 with <c>Retry-After</c>.</summary>
    public const string OtherOwner = Prefix + "other-owner";

    /// <summary>The service is stopping. Nothing was changed. Status 503 with <c>Retry-After</c>.</summary>
    public const string Stopping = Prefix + "stopping";

    /// <summary>The change may have been made, and may still be made. Status 504, without <c>Retry-After</c>: repeat only repeatable requests.</summary>
    public const string OutcomeUnknown = Prefix + "outcome-unknown";

    private const string Prefix = "urn:problem-type:stout:";
}
