using System.Text;

namespace Stout.Documents;

/// <summary>Serializes strings as UTF-8, without a byte order mark. Unpaired surrogates and ill-formed bytes are errors.</summary>
public sealed class StringPartSerializer : IPartSerializer<string>
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <inheritdoc/>
    public bool ValuesAreImmutable => true;

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> Serialize(string value) => Strict.GetBytes(value);

    /// <inheritdoc/>
    public string Deserialize(ReadOnlyMemory<byte> bytes) => Strict.GetString(bytes.Span);
}
