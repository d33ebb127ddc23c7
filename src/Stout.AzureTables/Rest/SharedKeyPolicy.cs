using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Azure.Core;
using Azure.Core.Pipeline;

namespace Stout.AzureTables.Rest;

/// <summary>Signs requests with an account key, as the table service's Shared Key authorization says.</summary>
/// <param name="account">The account's name.</param>
/// <param name="key">Its key.</param>
/// <param name="time">The service's protocol asks for the real time, whatever time the store goes by.</param>
internal sealed class SharedKeyPolicy(string account, byte[] key, TimeProvider? time = null) : HttpPipelineSynchronousPolicy
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;

    public override void OnSendingRequest(HttpMessage message)
    {
        var request = message.Request;
        var date = _time.GetUtcNow().ToString("R", CultureInfo.InvariantCulture);
        request.Headers.SetValue("x-ms-date", date);
        request.Headers.TryGetValue("Content-Type", out var contentType);
        var text = $"{request.Method}\n\n{contentType}\n{date}\n{Resource(request.Uri.ToUri())}";
        request.Headers.SetValue("Authorization", $"SharedKey {account}:{Sign(text)}");
    }

    /// <summary>The signature of a string to sign.</summary>
    public string Sign(string text) => Convert.ToBase64String(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(text)));

    /// <summary>The canonicalized resource. Of the query only <c>comp</c> would be part of it, which no request here has.</summary>
    private string Resource(Uri address) => $"/{account}{address.AbsolutePath}";
}
