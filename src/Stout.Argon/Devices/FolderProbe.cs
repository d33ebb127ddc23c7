using Microsoft.Win32.SafeHandles;
using Stout.Argon.Engine;

namespace Stout.Argon.Devices;

/// <summary>
/// Reads the data of a folder's objects at random positions. Where it is less than a new file, writes and reads that file. Holes, and extents that were
/// allocated and never written, do not count as data: the disk does not read them.
/// </summary>
internal sealed class FolderProbe : IDiskProbe, IDisposable
{
    private const int Block = ArgonOptions.BlockSize;
    private const int LargestRead = 256;
    private const int Readers = 16;
    private const int Reads = 128;

    /// <summary>The bytes of the file that is written to be read.</summary>
    private const long FileBytes = 48L << 20;

    /// <summary>The most objects that are looked at, and the most extents. They bound the time of an opening.</summary>
    private const int MostObjects = 256;

    private const int MostExtents = 10_000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1.5);

    private readonly NativeSlab _slab = new(LargestRead + Readers + 1, Block);
    private readonly string _path;
    private readonly ObjectFile _file;
    private readonly List<SafeFileHandle> _objects = [];
    private readonly List<(SafeFileHandle File, long Start, long Blocks, long Before)> _extents = [];
    private readonly TimeProvider _time;

    /// <exception cref="IOException">The disk failed, or is full.</exception>
    public FolderProbe(string folder, bool buffered, TimeProvider time)
    {
        (_time, _path) = (time, Path.Combine(folder, "calibration"));
        File.Delete(_path);
        _file = ObjectFile.Create(_path, buffered);
        try
        {
            _file.Reserve(FileBytes);
            var frames = Enumerable.Range(0, LargestRead).ToList();
            for (var block = 0L; block < FileBytes / Block; block += LargestRead)
                _file.Write(_slab, frames, block);
            _file.Sync(FileBytes);
            AddObjects(folder);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public long Span => _extents.Count == 0 ? FileBytes : Data(_extents);

    /// <summary>The bytes of written data of a folder's objects; of at most 256 objects.</summary>
    public static long DataOf(string folder)
    {
        var extents = new List<(SafeFileHandle, long, long, long)>();
        foreach (var path in Objects(folder))
        {
            using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            AddExtents(file, extents);
        }

        return Data(extents);
    }

    public (double Reads, double Bytes, double Writes) Run(int readers, int streamBytes, bool writes = false)
    {
        using var end = new CancellationTokenSource();
        var (start, streamed, ended, written) = (_time.GetTimestamp(), 0L, 0L, 0L);
        var done = new long[readers];
        var threads = Enumerable.Range(0, readers).Select(reader => new Thread(() => done[reader] = ReadRandomly(reader, end.Token))).ToList();
        var stream = new Thread(() => streamed = Stream(streamBytes, readers == 0, end.Token));
        var writer = new Thread(() => written = WriteRandomly(readers == 0, end.Token));
        threads.ForEach(thread => thread.Start());
        if (writes)
            writer.Start();
        if (streamBytes > 0)
            stream.Start();
        foreach (var thread in threads)
            thread.Join();
        if (readers == 0 && streamBytes > 0)
            stream.Join();
        if (readers == 0 && writes)
            writer.Join();
        ended = _time.GetTimestamp();
        end.Cancel();
        if (streamBytes > 0)
            stream.Join();
        if (writes)
            writer.Join();
        var seconds = _time.GetElapsedTime(start, ended).TotalSeconds;
        return (done.Sum() / seconds, streamed / seconds, written / seconds);
    }

    public void Dispose()
    {
        _objects.ForEach(file => file.Dispose());
        _file.Dispose();
        _slab.Dispose();
        File.Delete(_path);
    }

    private static IEnumerable<string> Objects(string folder) => Directory.EnumerateFiles(folder, "*" + ObjectName.Extension).Take(MostObjects);

    private static long Data(List<(SafeFileHandle File, long Start, long Blocks, long Before)> extents) => extents.Count == 0 ? 0 : (extents[^1].Before + extents[^1].Blocks) * Block;

    private static void AddExtents(SafeFileHandle file, List<(SafeFileHandle File, long Start, long Blocks, long Before)> extents)
    {
        for (var end = 0L; extents.Count < MostExtents && Native.NextData(file, end) is { } extent; end = extent.End)
        {
            var start = (extent.Start + Block - 1) / Block * Block;
            if (extent.End - start >= Block)
                extents.Add((file, start, (extent.End - start) / Block, Data(extents) / Block));
        }
    }

    private void AddObjects(string folder)
    {
        foreach (var path in Objects(folder))
        {
            if (Native.OpenDirect(path, create: false) is not { } file)
                break;
            _objects.Add(file);
            AddExtents(file, _extents);
        }

        if (Data(_extents) < FileBytes)
            _extents.Clear();
    }

    private long ReadRandomly(int reader, CancellationToken end)
    {
        var (random, start, reads) = (new Random(reader), _time.GetTimestamp(), 0L);
        var frames = new List<int> { LargestRead + reader };
        for (; reads < Reads && _time.GetElapsedTime(start) < s_patience && !end.IsCancellationRequested; reads++)
        {
            if (_extents.Count == 0)
            {
                _file.Read(_slab, frames, random.NextInt64(FileBytes / Block));
                continue;
            }

            var block = random.NextInt64(Data(_extents) / Block);
            var (low, high) = (0, _extents.Count - 1);
            while (low < high)
            {
                var middle = (low + high + 1) / 2;
                (low, high) = _extents[middle].Before <= block ? (middle, high) : (low, middle - 1);
            }

            var extent = _extents[low];
            RandomAccess.Read(extent.File, _slab[frames[0]], extent.Start + ((block - extent.Before) * Block));
        }

        return reads;
    }

    private long WriteRandomly(bool alone, CancellationToken end)
    {
        var (random, start, writes) = (new Random(Readers), _time.GetTimestamp(), 0L);
        var frames = new List<int> { LargestRead + Readers };
        for (; (!alone || writes < Reads) && _time.GetElapsedTime(start) < s_patience && !end.IsCancellationRequested; writes++)
            _file.Write(_slab, frames, random.NextInt64(FileBytes / Block));
        return writes;
    }

    private long Stream(int bytes, bool alone, CancellationToken end)
    {
        var (start, read, blocks) = (_time.GetTimestamp(), 0L, bytes / Block);
        var frames = Enumerable.Range(0, blocks).ToList();
        while (!end.IsCancellationRequested && _time.GetElapsedTime(start) < s_patience && (!alone || read < FileBytes))
        {
            _file.Read(_slab, frames, read / Block % (FileBytes / Block));
            read += bytes;
        }

        return read;
    }
}
