namespace Stout.Director.Models;

/// <summary>A kind of server that the pool can lease: its models, memory and price.</summary>
public sealed record ServerType
{
    /// <summary>The name under which the pool leases servers of this type.</summary>
    public required string Name { get; init; }

    /// <summary>The model of the load that one server can serve.</summary>
    public required SteadyStateModel SteadyState { get; init; }

    /// <summary>The model of the duration of copies between servers of this type.</summary>
    public required CopyDurationModel Copies { get; init; }

    /// <summary>Memory for bins, in bytes. Above 0.</summary>
    public required long Memory { get; init; }

    /// <summary>Price of one charge interval, in any currency. At least 0. Default: 1, so that cost counts server units.</summary>
    public double Price { get; init; } = 1;
}
