using System.Text.Json;
using System.Text.Json.Serialization;

namespace Stout.Director.Models;

/// <summary>A trained server type in a file: JSON, with a version, the objective that it was trained for, and its fit.</summary>
public sealed record ModelFile
{
    /// <summary>The version that this library writes and reads.</summary>
    public const int CurrentVersion = 1;

    private static readonly JsonSerializerOptions Form = new(JsonSerializerDefaults.Web) { WriteIndented = true, RespectRequiredConstructorParameters = true, RespectNullableAnnotations = true };

    /// <summary>The version of the file's format.</summary>
    public int Version { get; init; } = CurrentVersion;

    /// <summary>The objective, in the form of <see cref="ServiceObjective.Parse"/>.</summary>
    public required string Objective { get; init; }

    /// <summary>The number of servers that each read was sent to when the boundary was measured. From 1 to 16. Default: 2.</summary>
    public int Asked { get; init; } = 2;

    /// <summary>The trained server type.</summary>
    public required ServerType Type { get; init; }

    /// <summary>Read latency at each load, which the flow simulation needs; null where it was not measured.</summary>
    public LatencyTable? Latencies { get; init; }

    /// <summary>Writes the file.</summary>
    /// <param name="stream">The stream to write to.</param>
    public void Write(Stream stream) => JsonSerializer.Serialize(stream, this, Form);

    /// <summary>Reads a file.</summary>
    /// <param name="stream">The stream to read.</param>
    /// <param name="objective">The objective that the model has to be trained for (percentile and threshold); null accepts any.</param>
    /// <param name="type">The name of the server type that the model has to describe; null accepts any.</param>
    /// <returns>The file's content.</returns>
    /// <exception cref="ModelException">The file is damaged, of another version, objective or type, or its server type can't be used.</exception>
    public static ModelFile Read(Stream stream, ServiceObjective? objective = null, string? type = null)
    {
        ModelFile file;
        try
        {
            file = JsonSerializer.Deserialize<ModelFile>(stream, Form) ?? throw new ModelException("The model file is empty.");
        }
        catch (JsonException error)
        {
            throw new ModelException("The model file is not JSON of the expected form: " + error.Message, error);
        }

        if (file.Version != CurrentVersion)
            throw new ModelException($"The model file has version {file.Version}; this library reads version {CurrentVersion}. Train it anew.");
        if (type is not null && file.Type.Name != type)
            throw new ModelException($"The model file describes servers of type {file.Type.Name}, not {type}.");
        var trainedFor = ServiceObjective.Parse(file.Objective);
        if (objective is not null && (trainedFor.Percentile != objective.Percentile || trainedFor.Threshold != objective.Threshold))
            throw new ModelException($"The model file was trained for \"{file.Objective}\", not for \"{objective}\". Train it for that objective.");
        file.Type.Check();
        if (file.Asked is < 1 or > 16)
            throw new ModelException($"The model file says that each read was sent to {file.Asked} servers; 1 to 16 are possible.");
        file.Latencies?.Check(file.Type.Name);
        return file;
    }
}
