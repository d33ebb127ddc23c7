using System.Buffers;
using Stout.Storage;

namespace Stout.Experiments.Model;

/// <summary>The objects behind the keys of the model: the application's, and the store's copies.</summary>
internal interface IModelObjects
{
    /// <summary>Writes the dirty parts of an object.</summary>
    void Serialize(SerializationKey key);

    /// <summary>Takes note that the store has committed a batch.</summary>
    void Committed(WriteBatch batch);
}

/// <summary>Documents of one section whose bytes have no meaning, as in the paper's workload. No experiment reads them back.</summary>
internal sealed class SmallDocuments(int bytes) : IModelObjects
{
    private readonly byte[] _value = new byte[bytes];

    public void Serialize(SerializationKey key) => key.Write(SubKey.Root).Write(_value);

    public void Committed(WriteBatch batch)
    {
    }
}
