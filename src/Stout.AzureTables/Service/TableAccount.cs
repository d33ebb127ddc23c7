using System.Text.RegularExpressions;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Data.Tables;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Service;

/// <summary>Creates the table client of an account from the options.</summary>
internal static partial class TableAccount
{
    private const string EmulatorName = "devstoreaccount1";

    /// <summary>Creates a client without retries: the lane must notice overload, and itself repeats writes of unknown outcome.</summary>
    /// <param name="text">A connection string, or the address of a table service.</param>
    /// <param name="credential">The credential for accounts given by address only.</param>
    /// <param name="transport">The HTTP transport; null for Azure.Core's.</param>
    /// <exception cref="InvalidOptionException">The text is neither a valid connection string nor a valid address. The message does not contain the
    /// text, which may be a secret.</exception>
    public static TableServiceClient Connect(string text, TokenCredential? credential, HttpPipelineTransport? transport = null)
    {
        // The oldest version of the service that suffices, which most emulators and Azure Stack deployments support.
        var options = new TableClientOptions(TableClientOptions.ServiceVersion.V2019_02_02);
        options.Retry.MaxRetries = 0;
        options.AddPolicy(new TransactionPolicy(), HttpPipelinePosition.PerCall);
        if (transport is not null)
            options.Transport = transport;
        try
        {
            return Uri.TryCreate(text, UriKind.Absolute, out var address) && address.Scheme is "https" or "http"
                ? OfAddress(address!, credential, options)
                : OfConnectionString(text, options);
        }
        catch (Exception error) when (error is ArgumentException or FormatException or InvalidOperationException)
        {
            // Without the inner exception, whose message may quote the account's key.
            throw Invalid("it has to be a connection string with AccountName and AccountKey, or with TableEndpoint and SharedAccessSignature, or the address of a table service");
        }
    }

    /// <summary>Whether a connection string or address contains a shared access signature.</summary>
    public static bool HasSignature(string text) => SignatureInQuery().IsMatch(text) || text.Contains("SharedAccessSignature", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether all requests to another machine are encrypted.</summary>
    public static bool IsEncrypted(this TableServiceClient account) => account.Uri.Scheme == Uri.UriSchemeHttps || LocalHost.Is(account.Uri.Host);

    /// <summary>Whether the account is the emulator's.</summary>
    public static bool IsEmulator(this TableServiceClient account) => account.AccountName == EmulatorName;

    private static TableServiceClient OfAddress(Uri address, TokenCredential? credential, TableClientOptions options)
    {
        var endpoint = new Uri(address.GetLeftPart(UriPartial.Path));
        if (address.Query.Length > 1)
        {
            // The client accepts a signature for an http address only in a connection string. The options' Validate checks AllowSasOverHttp before any
            // request.
            var signature = address.Query[1..];
            return address.Scheme == Uri.UriSchemeHttps
                ? new TableServiceClient(endpoint, new AzureSasCredential(signature), options)
                : new TableServiceClient($"TableEndpoint={endpoint};SharedAccessSignature={signature}", options);
        }

        if (credential is null)
            throw Invalid($"an address without a shared access signature needs {nameof(AzureTablesOptions.Credential)}");
        if (address.Scheme != "https")
            throw Invalid("a credential's token is sent to https addresses alone");
        return new TableServiceClient(endpoint, new CheckedCredential(credential), options);
    }

    // The address is checked here, since the client accepts any text.
    private static TableServiceClient OfConnectionString(string text, TableClientOptions options) => RelativeEndpoint().IsMatch(text)
        ? throw Invalid("the table service's address has to be an absolute http or https address")
        : new TableServiceClient(Complete(text), options);

    /// <summary>Adds the public cloud's suffix to a connection string without a suffix or address.</summary>
    private static string Complete(string text) =>
        text.Contains("AccountName=", StringComparison.OrdinalIgnoreCase)
        && !text.Contains("EndpointSuffix=", StringComparison.OrdinalIgnoreCase)
        && !text.Contains("TableEndpoint=", StringComparison.OrdinalIgnoreCase)
            ? $"{text.TrimEnd(';')};EndpointSuffix=core.windows.net"
            : text;

    [GeneratedRegex(@"^\s*https?://[^?]*\?.", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex SignatureInQuery();

    [GeneratedRegex(@"(^|;)\s*TableEndpoint\s*=\s*(?!https?://)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex RelativeEndpoint();

    private static InvalidOptionException Invalid(string rule) => new(nameof(AzureTablesOptions.Accounts), rule);
}
