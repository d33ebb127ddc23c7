using System.Globalization;
using System.Text.Json;

namespace Stout.AzureTables.Transactions;

/// <summary>
/// The body of an error: <c>{"odata.error":{"code":"…","message":{"lang":"…","value":"2:The …"}}}</c>. In a transaction's answer the message
/// starts with the index of the failed operation.
/// </summary>
internal readonly ref struct ErrorBody(ReadOnlySpan<byte> body)
{
    private readonly ReadOnlySpan<byte> _body = body;

    public TransactionAnswer ToAnswer(int status)
    {
        var (code, message) = Read();
        return new TransactionAnswer(null, status, code, IndexIn(message));
    }

    /// <summary>The code, or null if the body has no readable code.</summary>
    public string? Code => Read().Code;

    private (string? Code, string? Message) Read()
    {
        string? code = null, message = null;
        var start = _body.IndexOf((byte)'{');
        if (start < 0)
            return default;
        var json = new Utf8JsonReader(_body[start..], isFinalBlock: false, default);
        try
        {
            while (json.Read() && !(json.TokenType == JsonTokenType.EndObject && json.CurrentDepth == 0))
            {
                if (json.TokenType != JsonTokenType.PropertyName)
                    continue;
                if (json.ValueTextEquals("code"u8) && json.Read() && json.TokenType == JsonTokenType.String)
                    code = json.GetString();
                else if (json.TokenType == JsonTokenType.PropertyName && json.ValueTextEquals("value"u8) && json.Read() && json.TokenType == JsonTokenType.String)
                    message = json.GetString();
            }
        }
        catch (JsonException)
        {
            // The code and the message may have been read before the error. Otherwise the status decides.
        }

        return (code, message);
    }

    private static int? IndexIn(string? message)
    {
        var colon = message?.IndexOf(':', StringComparison.Ordinal) ?? -1;
        return colon > 0 && int.TryParse(message.AsSpan(0, colon), NumberStyles.None, CultureInfo.InvariantCulture, out var index) ? index : null;
    }
}
