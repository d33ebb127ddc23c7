using System.Text;
using Orleans.Storage;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>Writes a document as lines of text, which the checks can read in the store without Orleans.</summary>
public sealed class DocumentSerializer : IGrainStorageSerializer
{
    /// <inheritdoc/>
    public BinaryData Serialize<T>(T? input) => new(Encoding.UTF8.GetBytes(string.Join('\n', ((Document)(object)input!).Log)));

    /// <inheritdoc/>
    public T? Deserialize<T>(BinaryData input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return (T)(object)new Document { Log = LogIn(input.ToMemory().Span) };
    }

    /// <summary>The values of a stored document.</summary>
    public static List<string> LogIn(ReadOnlySpan<byte> stored) => stored.IsEmpty ? [] : [.. Encoding.UTF8.GetString(stored).Split('\n')];
}
