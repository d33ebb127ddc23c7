using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Stout.Experiments;

namespace Stout.Argon.Experiments.Disks;

/// <summary>A way to read the services' files: with insulation, without, or as plain files through the kernel's cache.</summary>
internal sealed partial class DiskVariant : IDisposable
{
    private const long Cache = 48L << 20;
    private readonly ArgonServer? _server;
    private readonly List<ArgonObject> _objects = [];
    private readonly List<SafeFileHandle> _files = [];

    private DiskVariant(string name, ArgonServer? server) => (Name, _server) = (name, server);

    public string Name { get; }

    /// <summary>Writes the files of all variants.</summary>
    public static async Task PrepareAsync(string folder, int services)
    {
        foreach (var name in new[] { "insulated", "un-insulated" })
        {
            await using var server = ArgonServer.Open(Options(Path.Combine(folder, name), true));
            var service = server.AddService("writer");
            for (var i = 0; i < services; i++)
            {
                await using var target = await service.CreateAsync($"{i}").ConfigureAwait(false);
                Fill((offset, bytes) => target.Write(offset, bytes));
                target.Flush();
            }
        }

        Directory.CreateDirectory(Path.Combine(folder, "plain"));
        for (var i = 0; i < services; i++)
        {
            using var file = File.OpenHandle(Path.Combine(folder, "plain", $"{i}"), FileMode.Create, FileAccess.ReadWrite);
            Fill((offset, bytes) => RandomAccess.Write(file, bytes, offset));
            RandomAccess.FlushToDisk(file);
        }

        // Deletes the device costs that the engine has measured so far, without the caps of the control group. The next opening measures them under the caps.
        foreach (var cost in Directory.EnumerateFiles(folder, "cost", SearchOption.AllDirectories).ToList())
            File.Delete(cost);
    }

    public static async Task<DiskVariant> EngineAsync(string folder, bool insulated, IReadOnlyList<DiskLoad> loads)
    {
        var name = insulated ? "insulated" : "un-insulated";
        var variant = new DiskVariant(name, ArgonServer.Open(Options(Path.Combine(folder, name), insulated)));
        for (var i = 0; i < loads.Count; i++)
            variant._objects.Add(await variant._server!.AddService(loads[i].Name).OpenAsync($"{i}").ConfigureAwait(false));
        return variant;
    }

    public static DiskVariant Plain(string folder, int services)
    {
        var variant = new DiskVariant("plain files", null);
        for (var i = 0; i < services; i++)
            variant._files.Add(File.OpenHandle(Path.Combine(folder, "plain", $"{i}")));
        return variant;
    }

    public void Read(int service, long offset, Memory<byte> bytes)
    {
        if (_server is not null)
            _objects[service].Read(offset, bytes.Span);
        else
            RandomAccess.Read(_files[service], bytes.Span, offset);
    }

    /// <summary>Drops a plain file's pages from the kernel's cache, so that the disk is measured: the cache could hold the whole file.</summary>
    public void Forget(int service)
    {
        if (_server is null && Advise(_files[service], 0, 0, DontNeed) != 0)
            throw new ExperimentException("posix_fadvise failed.");
    }

    public string Report() => _server is null ? "" : string.Join("; ", _objects.Select(target => target.Service.Report()).Select(report => $"{report.Name}: {report.Status}, {report.PartitionBytes >> 10} KiB of {report.NeededBytes >> 10} needed, absorbed {report.Absorbed:0.00}"));

    public void Dispose()
    {
        _server?.Dispose();
        _files.ForEach(file => file.Dispose());
    }

    private const int DontNeed = 4;

    [LibraryImport("libc", EntryPoint = "posix_fadvise", SetLastError = true)]
    private static partial int Advise(SafeFileHandle file, long offset, long length, int advice);

    private static ArgonOptions Options(string folder, bool insulated) => new()
    {
        Disks = [new() { Folder = folder }],
        CacheBytes = Cache,
        Insulated = insulated,
        Trial = TimeSpan.FromSeconds(5),
    };

    private static void Fill(Action<long, byte[]> write)
    {
        var bytes = new byte[1 << 20];
        for (var offset = 0L; offset < DiskLoad.FileBytes; offset += bytes.Length)
        {
            Random.Shared.NextBytes(bytes.AsSpan(0, 64));
            write(offset, bytes);
        }
    }
}
