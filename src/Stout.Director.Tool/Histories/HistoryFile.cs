using System.IO.Compression;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Stout.Director.Tool.Histories;

/// <summary>Reads and writes histories: JSON, gzipped where the name ends in .gz.</summary>
internal static class HistoryFile
{
    /// <summary>The most bytes of a file, decompressed: a year of 20 bins in steps of 20 s takes half of it.</summary>
    public const long MostBytes = 1L << 29;

    private static readonly JsonSerializerOptions Form = new(JsonSerializerDefaults.Web)
    {
        Converters = { new NumbersWithGaps() },
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    };

    public static void Write(FileInfo file, ServiceHistory history)
    {
        using Stream stream = IsCompressed(file) ? new GZipStream(file.Create(), CompressionLevel.SmallestSize) : file.Create();
        JsonSerializer.Serialize(stream, history, Form);
    }

    /// <exception cref="HistoryException">The file is damaged, of another format or version, or its series do not fit together.</exception>
    public static ServiceHistory Read(FileInfo file)
    {
        try
        {
            using Stream plain = IsCompressed(file) ? new GZipStream(file.OpenRead(), CompressionMode.Decompress) : file.OpenRead();
            using var stream = new BoundedStream(plain, MostBytes, () => new HistoryException($"{file.Name} has more than {MostBytes >> 20} MB."));
            var history = JsonSerializer.Deserialize<ServiceHistory>(stream, Form) ?? throw new HistoryException($"{file.Name} is empty.");
            HistoryChecks.Check(history, file.Name);
            return history;
        }
        catch (JsonException error)
        {
            throw new HistoryException($"{file.Name} is not a history of version {ServiceHistory.CurrentVersion}: {error.Message}", error);
        }
        catch (InvalidDataException error)
        {
            throw new HistoryException($"{file.Name} is not a whole gzip file: {error.Message}", error);
        }
    }

    private static bool IsCompressed(FileInfo file) => file.Name.EndsWith(".gz", StringComparison.OrdinalIgnoreCase);
}
