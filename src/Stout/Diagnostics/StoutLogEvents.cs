namespace Stout.Diagnostics;

/// <summary>The ids of Stout's log events, category "Stout". They stay stable, so that filters and alerts may refer to them.</summary>
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

    /// <summary>Warning: a load bound is reached; callers wait or are refused.</summary>
    public const int OverloadBegun = 5;

    /// <summary>Information: callers are admitted without waiting again.</summary>
    public const int OverloadEnded = 6;

    /// <summary>Warning: keys have failed, and their callers were notified.</summary>
    public const int KeysFailed = 7;

    /// <summary>Warning: the store may or may not contain the changes of some keys.</summary>
    public const int OutcomeUnknown = 8;

    /// <summary>Warning: changes failed because the store could not be reached for as long as the options allow.</summary>
    public const int GaveUp = 9;

    /// <summary>Debug: one key has failed. The only event with a key.</summary>
    public const int KeyFailed = 10;

    /// <summary>Error: the application's message callback threw an exception.</summary>
    public const int CallbackThrew = 11;

    /// <summary>Information: the application's Serialize callback is slow.</summary>
    public const int CallbackSlow = 12;

    /// <summary>Error: the application's Serialize callback did not end in time; its keys fail.</summary>
    public const int CallbackHung = 13;

    /// <summary>Information: the client has started to drain.</summary>
    public const int DrainBegun = 14;

    /// <summary>Information: the client has drained.</summary>
    public const int DrainEnded = 15;

    /// <summary>Warning: the drain was cut off, and undurable changes have failed.</summary>
    public const int DrainAborted = 16;

    /// <summary>Information: the client has opened its store.</summary>
    public const int Opened = 17;

    /// <summary>Warning, once at the start: the store is on another machine, and its connection does not require encryption.</summary>
    public const int TransportIsOpen = 18;

    /// <summary>Warning: the store can't be opened yet, and the starting host waits for it.</summary>
    public const int StoreNotOpen = 19;

    /// <summary>Warning: background work, such as a sweep, has failed and is repeated; writes go on.</summary>
    public const int BackgroundJobFailed = 20;

    /// <summary>Warning: the option RaiseEpochsTo is set, and the client has raised the epochs at its opening.</summary>
    public const int EpochsRaised = 21;

    /// <summary>Information, once for each type, in development: values of a type are mutable, so each read deserializes them.</summary>
    public const int MutableType = 25;

    /// <summary>Warning: work waits for a thread of the thread pool, whose threads are blocked or busy.</summary>
    public const int ThreadPoolBusy = 26;
}
