using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Stout.Documents;

/// <summary>Writes <see cref="AppliedRequests"/> as one text: the newest removed id and the remembered ids in ascending order, 16 bytes each, in Base64.</summary>
internal sealed class AppliedRequestsConverter : JsonConverter<AppliedRequests>
{
    private const int IdBytes = 16;

    public override AppliedRequests Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.String || !reader.TryGetBytesFromBase64(out var bytes))
            throw new JsonException("The applied requests are not a text in Base64.");
        if (bytes.Length == 0)
            return default;
        if (bytes.Length % IdBytes != 0)
            throw new JsonException("The text of applied requests has another length than whole ids.");
        var ids = new Guid[bytes.Length / IdBytes - 1];
        var removed = new Guid(bytes.AsSpan(0, IdBytes), bigEndian: true);
        for (var i = 0; i < ids.Length; i++)
        {
            ids[i] = new Guid(bytes.AsSpan((i + 1) * IdBytes, IdBytes), bigEndian: true);
            // The search by halves relies on the order.
            if (!RequestIdTime.IsValid(ids[i]) || (i > 0 && ids[i] <= ids[i - 1]))
                throw new JsonException("The text of applied requests has an invalid id, or ids out of order.");
        }

        return new AppliedRequests(removed, ImmutableCollectionsMarshal.AsImmutableArray(ids));
    }

    public override void Write(Utf8JsonWriter writer, AppliedRequests value, JsonSerializerOptions options)
    {
        var bytes = value == default ? [] : new byte[(value.Count + 1) * IdBytes];
        _ = value.Removed.TryWriteBytes(bytes, bigEndian: true, out _); // Has no effect for the empty set, whose text is empty.
        for (var i = 0; i < value.Count; i++)
            value.Ids[i].TryWriteBytes(bytes.AsSpan((i + 1) * IdBytes), bigEndian: true, out _);
        writer.WriteBase64StringValue(bytes);
    }
}
