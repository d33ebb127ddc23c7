using Azure.Core;
using Azure.Core.Pipeline;

namespace Stout.AzureTables.Rest;

/// <summary>One account: where its table service is, and what makes requests welcome there.</summary>
/// <param name="Endpoint">The table service's address, without a slash at its end.</param>
/// <param name="Authentication">Signs each request.</param>
/// <param name="IsEmulator">Whether it is the emulator's account.</param>
internal sealed record TableAccount(Uri Endpoint, HttpPipelinePolicy Authentication, bool IsEmulator)
{
    private const string EmulatorName = "devstoreaccount1";

    // The emulator's only key, which its documentation publishes.
    private const string EmulatorKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private const string StorageScope = "https://storage.azure.com/.default";

    /// <summary>Reads an account out of the options.</summary>
    /// <exception cref="InvalidOptionException">It is neither a connection string nor an address that can be used. The text itself, which may be a secret, is not in the message.</exception>
    public static TableAccount Parse(string text, TokenCredential? credential)
    {
        if (Uri.TryCreate(text, UriKind.Absolute, out var address) && address.Scheme is "https" or "http")
            return OfAddress(address!, credential);
        var settings = new ConnectionString(text);
        if (settings["UseDevelopmentStorage"] is "true" or "True")
            return OfKey("http://127.0.0.1:10002/" + EmulatorName, EmulatorName, EmulatorKey);

        var name = settings["AccountName"];
        var endpoint = settings["TableEndpoint"]
            ?? (name is null ? null : $"{settings["DefaultEndpointsProtocol"] ?? "https"}://{name}.table.{settings["EndpointSuffix"] ?? "core.windows.net"}");
        if (endpoint is null)
            throw Invalid("a connection string has to have AccountName or TableEndpoint");
        if (settings["SharedAccessSignature"] is { } signature)
            return new TableAccount(Address(endpoint), new SasPolicy(signature), name == EmulatorName);
        if (name is null || settings["AccountKey"] is not { } key)
            throw Invalid("a connection string has to have AccountName and AccountKey, or SharedAccessSignature");
        return OfKey(endpoint, name, key);
    }

    public static InvalidOptionException Invalid(string rule) => new(nameof(AzureTablesOptions.Accounts), null, rule);

    private static TableAccount OfAddress(Uri address, TokenCredential? credential)
    {
        var endpoint = Address(address.GetLeftPart(UriPartial.Path));
        if (address.Query.Length > 1)
            return new TableAccount(endpoint, new SasPolicy(address.Query[1..]), IsEmulator: false);
        if (credential is null)
            throw Invalid($"an address without a shared access signature needs {nameof(AzureTablesOptions.Credential)}");
        if (address.Scheme != "https")
            throw Invalid("a credential's token is sent to https addresses alone");
        return new TableAccount(endpoint, new BearerTokenAuthenticationPolicy(new CheckedCredential(credential), StorageScope), IsEmulator: false);
    }

    private static TableAccount OfKey(string endpoint, string name, string key)
    {
        try
        {
            return new TableAccount(Address(endpoint), new SharedKeyPolicy(name, Convert.FromBase64String(key)), name == EmulatorName);
        }
        catch (FormatException)
        {
            throw Invalid("AccountKey has to be base64");
        }
    }

    private static Uri Address(string text) => Uri.TryCreate(text.TrimEnd('/'), UriKind.Absolute, out var address) && address.Scheme is "https" or "http"
        ? address!
        : throw Invalid("the table service's address has to be an absolute http or https address");
}
