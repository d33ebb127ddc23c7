using System.Buffers.Binary;
using System.Text;

namespace SectionedDocuments.Tests.Durability;

/// <summary>
/// Checks in a trace that no request was answered before its text was on the disk. Two writes to the database's log must have returned: of the text's
/// bytes, and of the transaction's commit frame. A sync of the log must have returned after them, and before the answer was sent.
/// </summary>
/// <remarks>
/// SQLite's log has a header of 32 bytes, whose third 32-bit number is the size of a page, and then frames. A frame is a header of 24 bytes, whose
/// second number is not 0 in the frame that commits, and a page. One call can write several frames, or a part of one.
/// </remarks>
internal static class AcknowledgementCheck
{
    private const int FrameHeader = 24;
    private const int LogHeader = 32;

    /// <summary>The errors of answers that came too early, and of missing answers.</summary>
    /// <param name="calls">The trace.</param>
    /// <param name="markers">The texts that were sent. Each text was sent once, and each connection had one request at a time.</param>
    public static IReadOnlyList<string> FindEarly(IReadOnlyList<SystemCall> calls, IEnumerable<string> markers) =>
        [.. markers.Select(marker => Check(calls, marker)).OfType<string>()];

    private static string? Check(IReadOnlyList<SystemCall> calls, string marker)
    {
        var bytes = Encoding.ASCII.GetBytes(marker);
        var request = calls.FirstOrDefault(call => call.IsRead && call.IsOnSocket && call.Contains(bytes));
        if (request is null)
            return $"{marker}: the request is not in the trace";
        var answer = calls.FirstOrDefault(call =>
            call.Entered > request.Returned && call.IsWrite && call.File == request.File && call.Contains("HTTP/1.1 204"u8));
        if (answer is null)
            return $"{marker}: the answer is not in the trace";

        var log = calls.Where(call => call.IsOnLog && call.Returned < answer.Entered).ToList();
        var written = log.FindIndex(call => call.IsWrite && call.Contains(bytes));
        if (written < 0)
            return $"{marker}: answered before it was written";
        var committed = CommitOf(log, written);
        if (committed is null)
            return $"{marker}: answered before its transaction was written";
        return log.Exists(call => call.IsSync && call.Entered > committed.Returned) ? null : $"{marker}: answered before the log was synced";
    }

    /// <summary>The call that completes the commit frame of a transaction: the call of index <paramref name="written"/>, or a later one.</summary>
    private static SystemCall? CommitOf(List<SystemCall> log, int written)
    {
        var frame = FrameHeader + PageBytes(log);
        for (var i = written; i < log.Count; i++)
        {
            if (!log[i].IsWrite)
                continue;
            var ended = (log[i].Offset - LogHeader) / frame;
            for (var begin = LogHeader + (ended * frame); begin + frame <= log[i].Offset + log[i].Data.Length; begin += frame)
            {
                if (NumberAt(log, i, begin + 4) != 0)
                    return log[i];
            }
        }

        return null;
    }

    private static uint PageBytes(List<SystemCall> log) => NumberAt(log, log.Count - 1, 8);

    /// <summary>The 32-bit number at a position of the log, as it is after the call of index <paramref name="last"/>.</summary>
    private static uint NumberAt(List<SystemCall> log, int last, long place)
    {
        var write = log[..(last + 1)].FindLast(call => call.IsWrite && call.Offset <= place && place + sizeof(uint) <= call.Offset + call.Data.Length);
        return BinaryPrimitives.ReadUInt32BigEndian(write!.Data.AsSpan((int)(place - write.Offset)));
    }
}
