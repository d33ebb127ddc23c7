using System.ComponentModel.DataAnnotations;
using Azure.Core;
using Azure.Core.Pipeline;
using Microsoft.Extensions.Options;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>The location and use of a set of store partitions in Azure Tables.</summary>
public sealed record AzureTablesOptions
{
    /// <summary>
    /// The storage accounts, at least one; their order cannot change later. Each is a connection string (with an account key, a shared access
    /// signature, or <c>UseDevelopmentStorage=true</c>), or the https address of an account's table service. An address has a shared access signature
    /// as its query, or needs <see cref="Credential"/>.
    /// </summary>
    [Required]
    public IList<string> Accounts { get; set; } = [];

    /// <summary>The credential for accounts given by address only, such as a DefaultAzureCredential. Default: null.</summary>
    public TokenCredential? Credential { get; set; }

    /// <summary>
    /// Whether a shared access signature may be sent to an http address: default false. An eavesdropper could use it until it expires.
    /// </summary>
    public bool AllowSasOverHttp { get; set; }

    /// <summary>The table's name, the same in every account: 3 to 63 letters and digits, the first a letter. Default: <c>stout</c>.</summary>
    [Required, RegularExpression("[A-Za-z][A-Za-z0-9]{2,62}", ErrorMessage = "The field {0} has to be 3 to 63 letters and digits, the first a letter")]
    public string Table { get; set; } = "stout";

    /// <summary>
    /// The number of store partitions of each account: 1 to 1,024, and at most 1,024 in all accounts together. Default 4. Each is one table
    /// partition, which takes some 2,000 entities per second. The number cannot change later.
    /// </summary>
    [Range(1, Slots.Count)]
    public int PartitionsPerAccount { get; set; } = 4;

    /// <summary>
    /// Whether opening the store creates a missing table: default true. If false, an administrator creates it as
    /// <c>deploy/schemas/azure-tables.md</c> describes, and the service needs no right to do so.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// Options for the background removal of old rows of replaced and deleted objects, and of deleted objects' headers. A sweep that finds nothing costs one
    /// request for each store partition.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>The time limit of requests to a partition.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(AzureTablesOptions);

    /// <summary>The HTTP transport; null for Azure.Core's.</summary>
    internal HttpPipelineTransport? Transport { get; set; }

    internal int Partitions => Accounts.Count * PartitionsPerAccount;

    internal AzureTablesOptions Copy() => this with { Accounts = [.. Accounts], Calls = Calls with { }, Sweeping = Sweeping with { } };

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new AzureTablesOptionsValidator(), this);
        // Checks without attributes: only the client can parse the accounts, and the limit of partitions is that of all accounts together.
        for (var i = 0; i < Math.Max(1, Accounts.Count); i++)
            Validate(Accounts.ElementAtOrDefault(i), FormattableString.Invariant($"{nameof(Accounts)}:{i}"));
        InvalidOptionException.ThrowUnlessBetween(nameof(PartitionsPerAccount), PartitionsPerAccount, 1, Slots.Count / Accounts.Count);
    }

    private void Validate(string? account, string option)
    {
        if (string.IsNullOrEmpty(account))
            throw new InvalidOptionException(option, "it has to be a connection string, or the address of a table service");
        try
        {
            var client = TableAccount.Connect(account, Credential);
            if (!AllowSasOverHttp && client.Uri.Scheme != Uri.UriSchemeHttps && TableAccount.HasSignature(account))
                throw new InvalidOptionException(option, $"it must not send its shared access signature to an http address; {nameof(AllowSasOverHttp)} allows it");
        }
        catch (InvalidOptionException error)
        {
            throw new InvalidOptionException(option, error.Allowed);
        }
    }
}

[OptionsValidator]
internal sealed partial class AzureTablesOptionsValidator : IValidateOptions<AzureTablesOptions>;
