using System.Buffers;
using System.Collections.Concurrent;
using System.Text;

namespace Stout.Tests.Support;

/// <summary>A small service: each key holds a text. Its callbacks can be replaced.</summary>
internal sealed class MemoryApplication : IStoutApplication
{
    private int _deserialized;

    public ConcurrentDictionary<string, string> Texts { get; } = [];

    public int Deserialized => _deserialized;

    public Func<FilledKey, ValueTask>? OnDeserialize { get; set; }

    public Func<SerializationBatch, CancellationToken, ValueTask>? OnSerialize { get; set; }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _deserialized);
        if (OnDeserialize is not null)
            return OnDeserialize(filled);
        if (filled.Exists)
            Texts[filled.Key.Text] = Encoding.UTF8.GetString(filled.Parts[0].Value.Span);
        return ValueTask.CompletedTask;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        if (OnSerialize is not null)
            return OnSerialize(batch, cancellationToken);
        SerializeAll(batch);
        return ValueTask.CompletedTask;
    }

    public void SerializeAll(SerializationBatch batch)
    {
        for (var i = 0; i < batch.Count; i++)
            Serialize(batch[i]);
    }

    public void Serialize(SerializationKey key)
    {
        foreach (var part in key.DirtyParts)
            key.Write(part).Write(Encoding.UTF8.GetBytes(Texts.GetValueOrDefault(key.Key.Text, "")));
    }

    /// <summary>Changes a key's text and marks it.</summary>
    public void Change(KeyHandle handle, string text)
    {
        Texts[handle.Key.Text] = text;
        handle.MarkDirty();
    }
}
