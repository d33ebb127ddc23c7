using System.Text.RegularExpressions;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Data.Tables;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Service;

/// <summary>Makes the client of an account's table service out of what the options say of it.</summary>
internal static partial class TableAccount
{
    private const string EmulatorName = "devstoreaccount1";

    /// <summary>Makes a client. Its retries are off: the lane has to learn of overload, and repeats what is unknown itself.</summary>
    /// <param name="text">A connection string, or the address of a table service.</param>
    /// <param name="credential">Signs in where an account is given by its address alone.</param>
    /// <param name="transport">What carries the requests; null: Azure.Core's own.</param>
    /// <exception cref="InvalidOptionException">It is neither a connection string nor an address that can be used. The text itself, which may be a secret, is not in the message.</exception>
    public static TableServiceClient Connect(string text, TokenCredential? credential, HttpPipelineTransport? transport = null)
    {
        // The oldest version with all that is needed here, and so the one that most emulators and stamps know.
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
            // Its message may quote the key.
            throw Invalid("it has to be a connection string with AccountName and AccountKey, or with TableEndpoint and SharedAccessSignature, or the address of a table service");
        }
    }

    /// <summary>Whether the options give a shared access signature for an account.</summary>
    public static bool HasSignature(string text) => SignatureInQuery().IsMatch(text) || text.Contains("SharedAccessSignature", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether requests leave this machine only encrypted.</summary>
    public static bool IsEncrypted(this TableServiceClient account) => account.Uri.Scheme == Uri.UriSchemeHttps || LocalHost.Is(account.Uri.Host);

    /// <summary>Whether it is the emulator's account.</summary>
    public static bool IsEmulator(this TableServiceClient account) => account.AccountName == EmulatorName;

    private static TableServiceClient OfAddress(Uri address, TokenCredential? credential, TableClientOptions options)
    {
        var endpoint = new Uri(address.GetLeftPart(UriPartial.Path));
        if (address.Query.Length > 1)
        {
            // The client takes a signature for an http address in a connection string alone. Whether the options allow it is checked before.
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

    // The client takes anything for an address.
    private static TableServiceClient OfConnectionString(string text, TableClientOptions options) => RelativeEndpoint().IsMatch(text)
        ? throw Invalid("the table service's address has to be an absolute http or https address")
        : new TableServiceClient(Complete(text), options);

    /// <summary>The connection string with the public cloud's suffix, where it names neither a suffix nor an address.</summary>
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
