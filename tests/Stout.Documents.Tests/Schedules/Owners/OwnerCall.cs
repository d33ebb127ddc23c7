namespace Stout.Documents.Tests.Schedules.Owners;

/// <summary>One call of one client, and what the model knows of it.</summary>
/// <param name="client">The client.</param>
/// <param name="id">The object's id.</param>
/// <param name="kind">The kind of call.</param>
/// <param name="isConfirmed">Whether the answer of a call that changes nothing has to be confirmed by the store.</param>
internal sealed class OwnerCall(int client, string id, CallKind kind, bool isConfirmed) : SharedStoreCall
{
    public int Client => client;

    public string Id => id;

    public CallKind Kind => kind;

    public bool IsConfirmed => isConfirmed;

    /// <summary>Whether the function throws.</summary>
    public bool Throws { get; init; }

    /// <summary>Whether a change's function changes nothing.</summary>
    public bool Keeps { get; init; }

    /// <summary>The index of the version that the store held when the call began.</summary>
    public int Begun { get; set; }

    /// <summary>The index of the newest version that answers to the same client had shown when the call began.</summary>
    public int Shown { get; set; }

    /// <summary>The number of the value that the function saw when it ran last; 0 for an absent object.</summary>
    public int Saw { get; set; }

    /// <summary>The changes that the runs of the function have made.</summary>
    public List<OwnerChange> Made { get; } = [];

    /// <summary>The change that the store holds, or has held.</summary>
    public OwnerChange? Applied { get; set; }

    /// <summary>Whether the call was answered as not applied.</summary>
    public bool IsDenied { get; set; }

    public override string ToString() =>
        $"{(isConfirmed ? "confirmed " : "")}{kind} of {id} by client {client} (saw {Saw}, made {string.Join(", ", Made.Select(change => change.Number))})";
}

/// <summary>The result of one run of a change's function. The number is the value's name.</summary>
internal sealed class OwnerChange(int number, OwnerCall call, int saw)
{
    public int Number => number;

    public OwnerCall Call => call;

    /// <summary>The number of the value that the function saw; 0 for an absent object.</summary>
    public int Saw => saw;

    /// <summary>The index of the version with which the change was committed; -1 as long as it was not.</summary>
    public int CommittedAt { get; set; } = -1;
}
