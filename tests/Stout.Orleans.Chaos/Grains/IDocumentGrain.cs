namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document: a log of the values that were written. The last one is the document's value.</summary>
[Alias("Stout.Orleans.Chaos.Grains.IDocumentGrain")]
public interface IDocumentGrain : IGrainWithStringKey
{
    /// <summary>Writes a value.</summary>
    /// <param name="value">The value; it is never written twice.</param>
    /// <param name="waitsInside">Whether the grain's method itself waits until the value is durable, and runs on after the wait before it replies.</param>
    /// <returns>The document before the write.</returns>
    [Alias("WriteAsync")]
    Task<View> WriteAsync(string value, bool waitsInside);

    /// <summary>Reads the document.</summary>
    /// <param name="confirmed">Whether the store confirms the owner before the reply; otherwise the reply comes from memory.</param>
    [Alias("ReadAsync")]
    Task<View> ReadAsync(bool confirmed);

    /// <summary>Has the activation write a value when it is deactivated.</summary>
    /// <param name="value">The value.</param>
    [Alias("ArmAsync")]
    Task ArmAsync(string value);
}
