using System.Buffers.Text;
using System.Text;
using System.Text.Json;

namespace Stout.Director.Tool.Importing;

/// <summary>Reads the tokens of a JSON text of any length through a buffer of bounded size.</summary>
internal sealed class JsonTokens(Stream stream, string place)
{
    private const int FirstBuffer = 1 << 16;
    private const int MostBuffer = 1 << 20;

    private byte[] _buffer = new byte[FirstBuffer];
    private byte[] _value = new byte[256];
    private int _length;
    private int _start;
    private int _end;
    private bool _isWhole;
    private JsonReaderState _state;

    public JsonTokenType Type { get; private set; }

    /// <summary>The bytes that have been read.</summary>
    public long Position { get; private set; }

    public string Text => Encoding.UTF8.GetString(_value, 0, _length);

    public string Place => FormattableString.Invariant($"{place}, byte {Position}");

    /// <summary>Reads the next token.</summary>
    /// <exception cref="ImportException">The text ends, or is not JSON.</exception>
    public void Read()
    {
        while (!TryRead())
        {
            if (_isWhole)
                throw new ImportException(Place, "the JSON text ends too early.");
            Fill();
        }
    }

    /// <summary>Reads the next token, which has to be of a type.</summary>
    /// <exception cref="ImportException">The token is of another type.</exception>
    public void Read(JsonTokenType type, string what)
    {
        Read();
        if (Type != type)
            throw Unexpected(what);
    }

    /// <summary>Skips the value that the next token begins.</summary>
    public void SkipValue()
    {
        Read();
        var depth = 0;
        while (true)
        {
            if (Type is JsonTokenType.StartArray or JsonTokenType.StartObject)
                depth++;
            else if (Type is JsonTokenType.EndArray or JsonTokenType.EndObject)
                depth--;
            if (depth == 0)
                return;
            Read();
        }
    }

    /// <summary>The current token as a number: a JSON number, or a string that holds one, as Prometheus writes samples.</summary>
    public double Number()
    {
        if (Utf8Parser.TryParse(_value.AsSpan(0, _length), out double number, out var used) && used == _length)
            return number;
        return Text switch
        {
            "+Inf" => double.PositiveInfinity,
            "-Inf" => double.NegativeInfinity,
            _ => throw Unexpected("a number"),
        };
    }

    public ImportException Unexpected(string what) => new(Place, $"{what} is expected, and there is {(Type is JsonTokenType.String or JsonTokenType.Number or JsonTokenType.PropertyName ? $"\"{Text}\"" : Type)}.");

    private bool TryRead()
    {
        try
        {
            var reader = new Utf8JsonReader(_buffer.AsSpan(_start, _end - _start), _isWhole, _state);
            if (!reader.Read())
            {
                return false;
            }

            Type = reader.TokenType;
            _length = 0;
            if (Type is JsonTokenType.String or JsonTokenType.PropertyName or JsonTokenType.Number)
            {
                if (_value.Length < reader.ValueSpan.Length)
                    _value = new byte[reader.ValueSpan.Length * 2];
                if (Type == JsonTokenType.Number)
                    reader.ValueSpan.CopyTo(_value);
                _length = Type == JsonTokenType.Number ? reader.ValueSpan.Length : reader.CopyString(_value);
            }

            _start += (int)reader.BytesConsumed;
            Position += reader.BytesConsumed;
            _state = reader.CurrentState;
            return true;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            throw new ImportException(Place, "not JSON: " + error.Message, error);
        }
    }

    private void Fill()
    {
        if (_start == 0 && _end == _buffer.Length)
        {
            if (_buffer.Length >= MostBuffer)
                throw new ImportException(Place, $"a text of more than {MostBuffer >> 20} MB.");
            Array.Resize(ref _buffer, _buffer.Length * 2);
        }

        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
        var read = stream.Read(_buffer, _end, _buffer.Length - _end);
        _isWhole = read == 0;
        _end += read;
    }
}
