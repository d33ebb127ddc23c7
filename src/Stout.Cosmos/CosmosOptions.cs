using System.ComponentModel.DataAnnotations;
using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>The location and use of containers in Azure Cosmos DB.</summary>
public sealed record CosmosOptions
{
    /// <summary>
    /// The containers, at least one, of one account or several; their order cannot change later. Store partitions are divided evenly among them.
    /// Required.
    /// </summary>
    [Required, ValidateEnumeratedItems]
    public IList<CosmosContainerOptions> Containers { get; set; } = [];

    /// <summary>
    /// The number of store partitions in all containers together: 1 to 1,024, at least the number of containers, default 32. It cannot change later.
    /// </summary>
    /// <remarks>
    /// Each store partition is one logical partition of Cosmos DB, which takes 20 GB and at most 10,000 request units per second. 32 of them take 640 GB.
    /// More partitions make smaller batches.
    /// </remarks>
    [Range(1, Slots.Count)]
    public int Partitions { get; set; } = 32;

    /// <summary>
    /// Whether opening the store creates missing databases and containers: default true. If false, an administrator creates them as
    /// <c>deploy/schemas/cosmos.md</c> describes, and the service needs no right to do so.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>Whether requests go directly to the replicas, over TCP ports 10000 to 20000, or over the gateway's HTTPS. Default: Direct.</summary>
    public ConnectionMode ConnectionMode { get; set; } = ConnectionMode.Direct;

    /// <summary>
    /// Options for the background removal of old parts of replaced and deleted objects. Cosmos DB itself removes deleted objects' headers, by their time to
    /// live.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>The time limit of requests to a store partition.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>
    /// Creates the client of all HTTPS requests; set in code, for instance for a test server's certificate or for a proxy. Default: the SDK's.
    /// </summary>
    public Func<HttpClient>? HttpClientFactory { get; set; }

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(CosmosOptions);

    /// <summary>Creates the SDK's client of an account, for tests.</summary>
    internal Func<CosmosContainerOptions, CosmosClient>? CreateClient { get; set; }

    internal CosmosOptions Copy() =>
        this with { Containers = [.. Containers.Select(static container => container with { })], Calls = Calls with { }, Sweeping = Sweeping with { } };

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new CosmosOptionsValidator(), this);
        // Attributes cannot express these rules, which concern several options or the members of an enumeration.
        if (Containers.Count == 0)
            InvalidOptionException.Under($"{nameof(Containers)}:0", new CosmosContainerOptions().Validate);
        for (var i = 0; i < Containers.Count; i++)
            InvalidOptionException.Under(FormattableString.Invariant($"{nameof(Containers)}:{i}"), Containers[i].Validate);
        if (Containers.Distinct().Count() < Containers.Count)
            throw new InvalidOptionException(nameof(Containers), "they have to differ");
        InvalidOptionException.ThrowUnlessAtLeast(nameof(Partitions), Partitions, Math.Min(Containers.Count, Slots.Count));
        if (!Enum.IsDefined(ConnectionMode))
            throw new InvalidOptionException(nameof(ConnectionMode), "it has to be Direct or Gateway");
        if (CreateMissing && Containers.Any(container => container.Credential is not null))
            throw new InvalidOptionException(nameof(CreateMissing), "it has to be false where Entra ID is used: its roles can't make containers");
    }
}

[OptionsValidator]
internal sealed partial class CosmosOptionsValidator : IValidateOptions<CosmosOptions>;
