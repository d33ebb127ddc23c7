using System.Globalization;
using System.Text;
using System.Text.Json;
using Stout.Storage;

namespace Stout.AzureTables.Rest;

/// <summary>A row as the service returns it: its key, its ETag, the value if it has one, and the other properties.</summary>
internal sealed class Row
{
    private readonly Dictionary<string, string> _properties = [];
    private byte[]?[] _pieces = [];
    private string? _timestamp;
    private string? _etag;

    public string Key { get; private set; } = "";

    /// <summary>The row's ETag. The service makes it of the timestamp, should the answer leave it out.</summary>
    public string ETag => _etag ?? $"W/\"datetime'{Uri.EscapeDataString(_timestamp ?? "")}'\"";

    /// <summary>A property's value as text; null if it is not there.</summary>
    public string? this[string property] => _properties.GetValueOrDefault(property);

    /// <summary>The value, pieced together; null if the row has none.</summary>
    /// <exception cref="StoreException">A piece is missing.</exception>
    public byte[]? Value
    {
        get
        {
            if (this[RowValue.LengthProperty] is not { } text)
                return null;
            if (_pieces is [{ } only] && int.TryParse(text, CultureInfo.InvariantCulture, out var length) && only.Length == length)
                return only;
            var value = new byte[_pieces.Sum(piece => piece?.Length ?? 0)];
            if (value.Length.ToString(CultureInfo.InvariantCulture) != text)
                throw new StoreException(StoreErrorKind.Corrupt, "A value is not as long as it has to be.");
            var end = 0;
            foreach (var piece in _pieces)
            {
                piece?.CopyTo(value, end);
                end += piece?.Length ?? 0;
            }

            return value;
        }
    }

    /// <summary>Reads an object, from its brace to the one that ends it.</summary>
    public static Row Read(ref Utf8JsonReader json)
    {
        var row = new Row();
        while (json.Read() && json.TokenType != JsonTokenType.EndObject)
        {
            if (RowValue.PieceOf(json.ValueSpan) is { } piece)
            {
                json.Read();
                row.SetPiece(piece, json.TokenType == JsonTokenType.Null ? null : json.GetBytesFromBase64());
                continue;
            }

            var name = json.GetString()!;
            json.Read();
            if (json.TokenType != JsonTokenType.Null)
                row.Set(name, json.TokenType == JsonTokenType.String ? json.GetString()! : Encoding.UTF8.GetString(json.ValueSpan));
        }

        return row;
    }

    private void SetPiece(int index, byte[]? bytes)
    {
        if (bytes is null)
            return;
        if (index >= _pieces.Length)
            Array.Resize(ref _pieces, index + 1);
        _pieces[index] = bytes;
    }

    private void Set(string name, string value)
    {
        switch (name)
        {
            case "RowKey":
                Key = value;
                break;
            case "odata.etag":
                _etag = value;
                break;
            case "Timestamp":
                _timestamp = value;
                break;
            case "PartitionKey":
                break;
            default:
                // The types that the service annotates are known.
                if (!name.Contains('@', StringComparison.Ordinal))
                    _properties[name] = value;
                break;
        }
    }
}
