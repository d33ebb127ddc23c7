using Orleans.Concurrency;

namespace OrleansDocuments.Grains;

/// <summary>A document. Each call returns when everything that its answer tells is durable.</summary>
[Alias("OrleansDocuments.IDocumentGrain")]
public interface IDocumentGrain : IGrainWithStringKey
{
    /// <summary>The text of a section; null if it is missing.</summary>
    [Alias("ReadAsync")]
    Task<string?> ReadAsync(string section);

    [Alias("WriteAsync")]
    Task WriteAsync(string section, string text);

    /// <summary>Removes a section, and with the last one the document.</summary>
    /// <returns>Whether there was one.</returns>
    [Alias("RemoveAsync")]
    Task<bool> RemoveAsync(string section);

    /// <summary>The sections whose names begin with a prefix, in ordinal order.</summary>
    [Alias("SelectAsync")]
    Task<List<(string Name, string Text)>> SelectAsync(string prefix);

    /// <summary>Removes the document.</summary>
    /// <returns>Whether there was one.</returns>
    [Alias("DeleteAsync")]
    Task<bool> DeleteAsync();

    [Alias("LocateAsync")]
    Task<GrainPlace> LocateAsync();

    /// <summary>Counts a former activation that another one had fenced.</summary>
    [Alias("NoteFencingAsync")]
    [OneWay]
    Task NoteFencingAsync();
}
