namespace Linearizability;

/// <summary>
/// One operation on one register. A register's value is a text; null stands for a register without a value, which is how each begins.
/// Different writes should write different values: a checker tells a lost or repeated write by its value.
/// </summary>
public sealed record Operation
{
    /// <summary>The time of return of an operation without a known outcome.</summary>
    public const long Never = long.MaxValue;

    /// <summary>The register.</summary>
    public required string Key { get; init; }

    /// <summary>The kind of operation.</summary>
    public required OperationKind Kind { get; init; }

    /// <summary>The value that a <see cref="OperationKind.Change"/> replaces.</summary>
    public string? Expected { get; init; }

    /// <summary>The value that the operation writes.</summary>
    public string? Value { get; init; }

    /// <summary>
    /// When <see cref="Value"/> expires: an operation may see the register without a value from then on, by the operation's clock. <see cref="Never"/> by
    /// default. All writes of one value must have the same time of expiry.
    /// </summary>
    public long ExpiresAt { get; init; } = Never;

    /// <summary>The least time that the operation's clock has shown: the operation sees no value that had expired by then. 0 by default.</summary>
    public long Least { get; init; }

    /// <summary>The greatest time that the operation's clock has shown: the operation sees each value that had not expired by then. 0 by default.</summary>
    public long Greatest { get; init; }

    /// <summary>The register's value just before the operation, as the answer told. Without <see cref="TellsSeen"/> this value has no meaning.</summary>
    public string? Seen { get; init; }

    /// <summary>Whether the answer told <see cref="Seen"/>.</summary>
    public bool TellsSeen { get; init; }

    /// <summary>When the client asked, in ticks of one clock for all clients.</summary>
    public required long Invoked { get; init; }

    /// <summary>When the client had the answer, by the same clock; <see cref="Never"/> if the outcome is unknown.</summary>
    public long Returned { get; init; } = Never;

    /// <summary>The client, for reports alone.</summary>
    public string Client { get; init; } = "";

    /// <summary>Whether the outcome is unknown: the operation may take effect at any time after <see cref="Invoked"/>, or never.</summary>
    public bool IsOpen => Returned == Never;

    public override string ToString()
    {
        var does = Kind switch
        {
            OperationKind.Write => $"write {Show(Value)}",
            OperationKind.Change => $"change {Show(Expected)} to {Show(Value)}",
            _ => "read",
        };
        var clock = Greatest > 0 ? $", clock {Least} to {Greatest}" : "";
        return $"[{Invoked}, {(IsOpen ? "unknown" : Returned)}] {Client}: {does}{(TellsSeen ? $", saw {Show(Seen)}" : "")}{clock}";
    }

    internal static string Show(string? value) => value is null ? "(none)" : $"\"{value}\"";
}
