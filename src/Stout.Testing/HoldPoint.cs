namespace Stout.Testing;

/// <summary>The place at which a <see cref="StoreHold"/> holds requests.</summary>
public enum HoldPoint
{
    /// <summary>Before the store: nothing has been applied.</summary>
    BeforeStore,

    /// <summary>After the store: the request has been applied, and the client has no answer.</summary>
    AfterStore,
}
