using System.ComponentModel.DataAnnotations;
using Azure.Core;
using Azure.Core.Pipeline;
using Microsoft.Extensions.Options;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>Where a set of store partitions is in Azure Tables, and how it is used.</summary>
public sealed record AzureTablesOptions
{
    /// <summary>
    /// The storage accounts, at least one; their order can't be changed later. Each is a connection string (with an account key, with a
    /// shared access signature, or <c>UseDevelopmentStorage=true</c>), or the https address of an account's table service: with a shared
    /// access signature as its query, or without, for <see cref="Credential"/>.
    /// </summary>
    [Required]
    public IList<string> Accounts { get; set; } = [];

    /// <summary>Signs in where an account is given by its address alone (a DefaultAzureCredential, say). Null, the default, is none.</summary>
    public TokenCredential? Credential { get; set; }

    /// <summary>
    /// Whether a shared access signature may be sent to an http address: default false. A listener on the way can use it as its owner does,
    /// until it expires.
    /// </summary>
    public bool AllowSasOverHttp { get; set; }

    /// <summary>The table's name, the same in every account: 3 to 63 letters and digits, the first a letter. Default: <c>stout</c>.</summary>
    [Required, RegularExpression("[A-Za-z][A-Za-z0-9]{2,62}", ErrorMessage = "The field {0} has to be 3 to 63 letters and digits, the first a letter")]
    public string Table { get; set; } = "stout";

    /// <summary>
    /// In how many store partitions each account's keys are spread: 1 to 1,024, and 1,024 in all accounts together. Default 4. Each is one
    /// table partition, which takes some 2,000 entities per second. It can't be changed later.
    /// </summary>
    [Range(1, Slots.Count)]
    public int PartitionsPerAccount { get; set; } = 4;

    /// <summary>
    /// Whether a table that is missing is made when the store is opened: default true. If false, a person has made it as
    /// <c>deploy/schemas/azure-tables.md</c> says, and the service needs no right to do so.
    /// </summary>
    public bool CreateMissing { get; set; } = true;

    /// <summary>
    /// How dead rows are removed, and how long headers of deleted keys are kept. A sweep that finds nothing costs one request for each store
    /// partition.
    /// </summary>
    [Required, ValidateObjectMembers]
    public StoreSweepOptions Sweeping { get; set; } = new();

    /// <summary>How many reads of one partition are under way at once: 1 to 1,000, default 32. Each key is a request of its own.</summary>
    [Range(1, 1_000)]
    public int ReadsAtOnce { get; set; } = 32;

    /// <summary>How long requests may take, and when a partition that does not answer is left alone.</summary>
    [Required, ValidateObjectMembers]
    public StoreCallOptions Calls { get; set; } = new();

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(AzureTablesOptions);

    /// <summary>What carries the requests; null: Azure.Core's own.</summary>
    internal HttpPipelineTransport? Transport { get; set; }

    internal int Partitions => Accounts.Count * PartitionsPerAccount;

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new AzureTablesOptionsValidator(), this);
        // The client reads the accounts, and all of them together have a limit.
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
