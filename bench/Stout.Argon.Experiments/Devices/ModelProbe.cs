using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Devices;

/// <summary>Reads a device model in virtual time, so that the engine's own calibration measures it.</summary>
internal sealed class ModelProbe(Func<IDeviceModel> create, long span = ModelProbe.NewFolder) : IDiskProbe
{
    /// <summary>The bytes of the file that the calibration of an empty folder reads.</summary>
    public const long NewFolder = 48L << 20;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1.5);
    private const int Reads = 128;
    private const int Stream = -1;
    private const int Writer = -2;

    public long Span => span;

    public (double Reads, double Bytes, double Writes) Run(int readers, int streamBytes, bool writes = false)
    {
        var (device, random, now) = (create(), new Random(1), TimeSpan.Zero);
        var (done, streamed, written, next) = (new int[readers], 0L, 0, 0L);
        for (var reader = 0; reader < readers; reader++)
            Send(reader);
        if (streamBytes > 0)
            Send(Stream);
        if (writes)
            Send(Writer);
        while (device.Next is { } at && at < s_patience)
        {
            now = at;
            var reader = (int)device.Complete().Tag;
            if (reader == Stream)
                streamed += streamBytes;
            else if (reader == Writer)
                written++;
            else if (++done[reader] == Reads)
                break;
            if (reader == Stream && readers == 0 && streamed >= NewFolder)
                break;
            if (reader == Writer && readers == 0 && written == Reads)
                break;
            Send(reader);
        }

        return (done.Sum() / now.TotalSeconds, streamed / now.TotalSeconds, written / now.TotalSeconds);

        void Send(int reader)
        {
            var io = new DiskIo { Kind = reader == Writer ? DiskIoKind.Write : DiskIoKind.Read, Tag = reader, Positions = true };
            if (reader != Stream)
            {
                device.Submit(io, random.NextInt64(span / ArgonOptions.BlockSize) * ArgonOptions.BlockSize, ArgonOptions.BlockSize, now);
                return;
            }

            device.Submit(io, next, streamBytes, now);
            next += streamBytes;
        }
    }
}
