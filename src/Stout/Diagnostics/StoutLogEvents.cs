namespace Stout.Diagnostics;

/// <summary>The ids of Stout's log events, category "Stout". They stay as they are, so that filters and alerts may refer to them.</summary>
public static class StoutLogEvents
{
    /// <summary>Warning: requests no longer reach the store.</summary>
    public const int StoreUnreachable = 1;

    /// <summary>Warning: the store gives no certain answers.</summary>
    public const int StoreSilent = 2;

    /// <summary>Warning: the store refuses requests for overload.</summary>
    public const int StoreOverloaded = 3;

    /// <summary>Information: the store answers again.</summary>
    public const int StoreRecovered = 4;

    /// <summary>Warning: so much is undurable that callers are held back or refused.</summary>
    public const int OverloadBegun = 5;

    /// <summary>Information: callers come in at once again.</summary>
    public const int OverloadEnded = 6;

    /// <summary>Warning: keys have failed; what waited for them was told so.</summary>
    public const int KeysFailed = 7;

    /// <summary>Warning: it is unknown whether keys' changes are in the store.</summary>
    public const int OutcomeUnknown = 8;

    /// <summary>Warning: changes failed because the store could not be reached for as long as the options allow.</summary>
    public const int GaveUp = 9;

    /// <summary>Debug: one key has failed. The only event with a key.</summary>
    public const int KeyFailed = 10;

    /// <summary>Error: the application's message callback has thrown.</summary>
    public const int CallbackThrew = 11;

    /// <summary>Information: the application's Serialize callback takes long.</summary>
    public const int CallbackSlow = 12;

    /// <summary>Error: the application's Serialize callback did not end in time; its keys fail.</summary>
    public const int CallbackHung = 13;

    /// <summary>Information: the client drains.</summary>
    public const int DrainBegun = 14;

    /// <summary>Information: the client has drained.</summary>
    public const int DrainEnded = 15;

    /// <summary>Warning: the drain was cut off; what was not durable has failed.</summary>
    public const int DrainAborted = 16;

    /// <summary>Information: the client has opened its store.</summary>
    public const int Opened = 17;

    /// <summary>Warning, once when the client is opened: what goes to the store leaves this machine, and its encryption is not required.</summary>
    public const int TransportIsOpen = 18;

    /// <summary>Warning: the store can't be opened yet, and the host's start waits for it.</summary>
    public const int StoreNotOpen = 19;
}
