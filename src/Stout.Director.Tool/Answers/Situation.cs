namespace Stout.Director.Tool.Answers;

/// <summary>The assumptions under which alternatives are compared.</summary>
internal sealed record Situation
{
    /// <summary>The difference to the first situation, in words; empty for the first.</summary>
    public string Words { get; init; } = "";

    /// <summary>The objective.</summary>
    public required ServiceObjective Objective { get; init; }

    /// <summary>The time a new server takes until it serves.</summary>
    public required TimeSpan Boot { get; init; }

    /// <summary>The paid interval.</summary>
    public required TimeSpan Charge { get; init; }

    /// <summary>The least number of servers.</summary>
    public required int Least { get; init; }

    /// <summary>The largest number of servers.</summary>
    public required int Most { get; init; }

    /// <summary>The factor of all loads.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>The price of a server for an hour; null: that of the server type.</summary>
    public double? Price { get; init; }

    /// <summary>The index of the server type.</summary>
    public int Type { get; init; }
}
