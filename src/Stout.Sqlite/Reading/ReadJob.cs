using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>Reads some keys of a batch.</summary>
internal sealed class ReadJob(ReadBatch batch, IReadOnlyList<int> indexes) : Job<ReaderSession>
{
    /// <summary>Once done: the keys that have to be claimed first.</summary>
    public IReadOnlyList<int> Unclaimed { get; private set; } = [];

    protected override void Run(ReaderSession context) => Unclaimed = context.Read(batch, indexes);
}
