using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Stout.Orleans.Storage;

/// <summary>
/// Stout's callbacks for grains. They hand the parts that a fill has read to its caller, and get the bytes of a key from its <see cref="IKeyContent"/>.
/// </summary>
internal sealed class GrainApplication : IStoutApplication
{
    // The table refers to handles weakly, so the garbage collector removes a fill's result that no caller takes together with the handle.
    private readonly ConditionalWeakTable<KeyHandle, StrongBox<FilledKey>> _filled = [];
    private readonly ConcurrentDictionary<KeyHandle, IKeyContent> _contents = new(ReferenceEqualityComparer.Instance);

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        _filled.AddOrUpdate(filled.Handle, new StrongBox<FilledKey>(filled));
        return ValueTask.CompletedTask;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var key = batch[i];
            if (_contents.TryGetValue(key.Handle, out var content))
                content.Serialize(key);
            else
                key.Fail(new InvalidOperationException("The content of the key is gone."));
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>
    /// Takes the parts that a handle's fill has read. Each fill's parts are taken once. Null says nothing about the key: the client had the key open
    /// already, so it returned that handle without a read.
    /// </summary>
    public FilledKey? Take(KeyHandle handle) => _filled.Remove(handle, out var filled) ? filled.Value : null;

    /// <summary>Sets the content that provides the bytes of the handle's key from now on.</summary>
    public void Attach(KeyHandle handle, IKeyContent content) => _contents[handle] = content;

    public void Detach(KeyHandle handle) => _contents.TryRemove(handle, out _);
}
