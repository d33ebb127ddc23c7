namespace Stout.Testing;

/// <summary>Where a request is held.</summary>
public enum HoldPoint
{
    /// <summary>On its way to the store: nothing has been applied.</summary>
    BeforeStore,

    /// <summary>On its way back: it has been applied, and the client does not know.</summary>
    AfterStore,
}
