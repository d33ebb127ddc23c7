using System.IO.MemoryMappedFiles;

namespace ServiceUnderTest;

/// <summary>
/// Counts write requests sent to the store, and their answers, as two 64-bit numbers in a mapped file. Writes to a mapped page stay in the file after a
/// kill of the process.
/// </summary>
internal sealed class BatchCounters
{
    private readonly Lock _lock = new();
    private readonly MemoryMappedViewAccessor _view;

    public BatchCounters(string path)
    {
        _view = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, null, 2 * sizeof(long)).CreateViewAccessor();
        _view.Write(0, 0L);
        _view.Write(sizeof(long), 0L);
    }

    public void CountSent() => Increment(0);

    public void CountAnswered() => Increment(sizeof(long));

    private void Increment(long position)
    {
        lock (_lock)
            _view.Write(position, _view.ReadInt64(position) + 1);
    }
}
