using System.ComponentModel.DataAnnotations;
using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>Which containers of Azure Cosmos DB hold the data, and how they are used.</summary>
public sealed record CosmosOptions
{
    /// <summary>
    /// The containers, in an order that can't be changed later; at least one, of one account or of several. Store partitions are spread evenly
    /// over them. Required.
    /// </summary>
    [Required, ValidateEnumeratedItems]
    public IList<CosmosContainerOptions> Containers { get; set; } = [];

    /// <summary>
    /// In how many store partitions the keys are spread, all containers together: 1 to 1,024, at least the number of containers, default 32.
    /// It can't be changed later.
    /// </summary>
    /// <remarks>
    /// Each is one logical partition of Cosmos DB, which takes 20 GB and at most 10,000 request units per second: 32 of them 640 GB.
    /// More of them make batches smaller.
    /// </remarks>
    [Range(1, Slots.Count)]
    public int Partitions { get; set; } = 32;

    /// <summary>
    /// Whether a database or container that is missing is made when the store is opened: default true. If false, a person has made them as
    /// <c>deploy/schemas/cosmos.md</c> says, and the service needs no right to do so.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>Whether requests go straight to the replicas, over TCP ports 10000 to 20000, or over the gateway's HTTPS. Default: Direct.</summary>
    public ConnectionMode ConnectionMode { get; set; } = ConnectionMode.Direct;

    /// <summary>
    /// How parts that a deletion or replacement leaves behind are removed, and how long headers of deleted keys are kept. Cosmos DB itself
    /// removes the headers, by their time to live.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>Time limit and circuit breaker of the requests, for each store partition.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>
    /// Makes the client of all HTTPS requests; set in code. It is the way to a test server with a certificate of its own, or through a
    /// proxy. Default: the SDK's own.
    /// </summary>
    public Func<HttpClient>? HttpClientFactory { get; set; }

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(CosmosOptions);

    /// <summary>Makes the SDK's client of an account. For tests: there is nothing behind the SDK but the service itself.</summary>
    internal Func<CosmosContainerOptions, CosmosClient>? CreateClient { get; set; }

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new CosmosOptionsValidator(), this);
        // These rules look at several options, or at members of an enumeration.
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
