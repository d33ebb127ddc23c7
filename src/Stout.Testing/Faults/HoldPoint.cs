namespace Stout.Testing;

/// <summary>The place where requests are held.</summary>
public enum HoldPoint
{
    /// <summary>Before the store: nothing has been applied.</summary>
    BeforeStore,

    /// <summary>After the store: the request has been applied, and the client has no answer.</summary>
    AfterStore,
}
