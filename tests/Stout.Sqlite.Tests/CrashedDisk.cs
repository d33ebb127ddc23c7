namespace Stout.Sqlite.Tests;

/// <summary>The files of a recorded process, as a crash leaves them.</summary>
internal sealed class CrashedDisk : IDisposable
{
    private const int SectorBytes = 512;
    private readonly TemporaryDirectory _directory = new();
    private readonly Dictionary<string, Recorded> _files = [];
    private TracedCall? _last;

    public string Database => _directory["docs.db"];

    public void Apply(TracedCall call)
    {
        if (!_files.TryGetValue(call.File, out var file))
            _files[call.File] = file = new Recorded();
        if (call.Name == "unlink")
            _files.Remove(call.File);
        else if (call.Name is "fsync" or "fdatasync")
            file.Sync();
        else
            file.Add(call);

        // The set-up creates the file under another name.
        if (call.Name == "fsync" && call.File == "docs.db.new")
            _files["docs.db"] = file;
        _last = call;
    }

    /// <summary>Writes the files as a crash leaves them now.</summary>
    /// <param name="random">Chooses the sectors that reached the disk.</param>
    /// <param name="isPowerCut">Whether writes without a sync may be lost. Otherwise only a part of the last one may be.</param>
    public void Save(Random random, bool isPowerCut)
    {
        foreach (var left in Directory.GetFiles(_directory.Path))
            File.Delete(left);
        foreach (var (name, file) in _files)
        {
            if (!name.Contains(".new", StringComparison.Ordinal))
                File.WriteAllBytes(_directory[name], file.Left(random, isPowerCut, isPowerCut ? null : _last));
        }
    }

    public void Dispose() => _directory.Dispose();

    private sealed class Recorded
    {
        private readonly List<TracedCall> _unsynced = [];
        private byte[] _synced = [];

        public void Add(TracedCall call) => _unsynced.Add(call);

        public void Sync()
        {
            _synced = Left(new Random(0), isPowerCut: false, last: null);
            _unsynced.Clear();
        }

        public byte[] Left(Random random, bool isPowerCut, TracedCall? last)
        {
            var bytes = _synced.ToArray();
            foreach (var call in _unsynced)
            {
                var isWhole = isPowerCut ? random.Next(2) == 0 : call != last || random.Next(2) == 0;
                if (call.Name == "ftruncate")
                    Array.Resize(ref bytes, isWhole || !isPowerCut ? (int)call.Number : bytes.Length);
                else
                    bytes = Written(bytes, call, random, isWhole);
            }

            return bytes;
        }

        private static byte[] Written(byte[] bytes, TracedCall call, Random random, bool isWhole)
        {
            var (data, at) = (call.Data!, (int)call.Number);
            for (int next = 0, end; next < data.Length; next = end)
            {
                // Sectors of the disk, not of the write: a write may begin within one.
                end = Math.Min(data.Length, (((at + next) / SectorBytes) + 1) * SectorBytes - at);
                if (!isWhole && random.Next(2) == 0)
                    continue;
                if (bytes.Length < at + end)
                    Array.Resize(ref bytes, at + end);
                data.AsSpan(next, end - next).CopyTo(bytes.AsSpan(at + next));
            }

            return bytes;
        }
    }
}
