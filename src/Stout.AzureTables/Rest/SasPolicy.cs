using Azure.Core;
using Azure.Core.Pipeline;

namespace Stout.AzureTables.Rest;

/// <summary>Adds a shared access signature to each request's address. Azure.Core's logs and traces leave its values out.</summary>
internal sealed class SasPolicy(string signature) : HttpPipelineSynchronousPolicy
{
    private readonly string _signature = signature.TrimStart('?');

    public override void OnSendingRequest(HttpMessage message)
    {
        var address = message.Request.Uri;
        address.Query = string.IsNullOrEmpty(address.Query) ? _signature : $"{address.Query}&{_signature}";
    }
}
