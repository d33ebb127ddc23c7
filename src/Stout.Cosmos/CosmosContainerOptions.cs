using System.ComponentModel.DataAnnotations;
using System.Data.Common;
using Azure.Core;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>A container and its credentials: a connection string, an endpoint and a key, or an endpoint and a credential.</summary>
public sealed record CosmosContainerOptions
{
    private const string Name = @"[^/\\#?]{1,255}";
    private const string NameRule = @"The field {0} has to be a name of 1 to 255 characters without / \ # ?";

    /// <summary>The account's connection string, with its key. Default: null.</summary>
    public string? ConnectionString { get; set; }

    /// <summary>The account's address, such as <c>https://name.documents.azure.com</c>. Default: null.</summary>
    public string? Endpoint { get; set; }

    /// <summary>The account's key. Default: null.</summary>
    public string? Key { get; set; }

    /// <summary>
    /// The identity for Entra ID, such as <c>new DefaultAzureCredential()</c>; set in code. Its roles for items cannot create containers, so <see
    /// cref="CosmosOptions.CreateMissing"/> must be false. Default: null.
    /// </summary>
    public TokenCredential? Credential { get; set; }

    /// <summary>The database's name: 1 to 255 characters except / \ # ?. Default: stout.</summary>
    [Required, RegularExpression(Name, ErrorMessage = NameRule)]
    public string Database { get; set; } = "stout";

    /// <summary>The container's name: 1 to 255 characters except / \ # ?. Default: stout.</summary>
    [Required, RegularExpression(Name, ErrorMessage = NameRule)]
    public string Container { get; set; } = "stout";

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(CosmosContainerOptions);

    /// <summary>
    /// Whether all requests to another machine are encrypted. Endpoints must be https, but a connection string may contain another address.
    /// </summary>
    internal bool IsEncrypted
    {
        get
        {
            var settings = new DbConnectionStringBuilder();
            try
            {
                settings.ConnectionString = ConnectionString ?? "";
            }
            catch (ArgumentException)
            {
                return true; // The SDK refuses it.
            }

            return !settings.TryGetValue("AccountEndpoint", out var endpoint)
                || !Uri.TryCreate((string)endpoint, UriKind.Absolute, out var uri) || uri.Scheme == Uri.UriSchemeHttps || LocalHost.Is(uri.Host);
        }
    }

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new CosmosContainerOptionsValidator(), this);
        // Attributes cannot express these rules, which concern several options.
        if (string.IsNullOrEmpty(ConnectionString) == string.IsNullOrEmpty(Endpoint))
            throw new InvalidOptionException(nameof(ConnectionString), $"it or {nameof(Endpoint)} has to be set, and not both");
        if (string.IsNullOrEmpty(Endpoint))
            return;
        if (!Uri.TryCreate(Endpoint, UriKind.Absolute, out var uri) || uri.Scheme != Uri.UriSchemeHttps)
            throw new InvalidOptionException(nameof(Endpoint), "it has to be an https address");
        if (string.IsNullOrEmpty(Key) == (Credential is null))
            throw new InvalidOptionException(nameof(Key), $"it or {nameof(Credential)} has to be set, and not both");
    }
}

[OptionsValidator]
internal sealed partial class CosmosContainerOptionsValidator : IValidateOptions<CosmosContainerOptions>;
