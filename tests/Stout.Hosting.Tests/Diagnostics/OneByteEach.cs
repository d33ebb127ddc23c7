namespace Stout.Hosting.Tests.Diagnostics;

/// <summary>An application whose objects have one byte each.</summary>
internal sealed class OneByteEach : IStoutApplication
{
    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var bytes = batch[i].Write(SubKey.Root);
            bytes.GetSpan(1)[0] = 1;
            bytes.Advance(1);
        }

        return default;
    }
}
