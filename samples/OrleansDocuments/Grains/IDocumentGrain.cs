using Orleans.Concurrency;

namespace OrleansDocuments.Grains;

/// <summary>A document. Each call returns after the state that its answer reveals is durable.</summary>
[Alias("OrleansDocuments.IDocumentGrain")]
public interface IDocumentGrain : IGrainWithStringKey
{
    /// <summary>The text of a section; null if it is missing.</summary>
    [Alias("ReadAsync")]
    Task<string?> ReadAsync(string section);

    [Alias("WriteAsync")]
    Task WriteAsync(string section, string text);

    /// <summary>Removes a section. The removal of the last section removes the document.</summary>
    /// <returns>Whether the section existed.</returns>
    [Alias("RemoveAsync")]
    Task<bool> RemoveAsync(string section);

    /// <summary>The sections whose names begin with a prefix, in ordinal order.</summary>
    [Alias("SelectAsync")]
    Task<List<(string Name, string Text)>> SelectAsync(string prefix);

    /// <summary>Removes the document.</summary>
    /// <returns>Whether the document existed.</returns>
    [Alias("DeleteAsync")]
    Task<bool> DeleteAsync();

    [Alias("LocateAsync")]
    Task<GrainPlace> LocateAsync();

    /// <summary>Counts an earlier activation that was fenced.</summary>
    [Alias("NoteFencingAsync")]
    [OneWay]
    Task NoteFencingAsync();
}
