using System.Buffers.Binary;
using System.Text;

namespace SectionedDocuments.Tests.Durability;

/// <summary>
/// Checks in a trace that no request was answered before its text was on the disk: its bytes written to the database's log, the
/// transaction's commit frame written, and the log synced after that, all of it returned before the answer was sent.
/// </summary>
/// <remarks>
/// A frame of SQLite's log is a header of 24 bytes, whose second 32-bit number is not 0 in the frame that commits, and then a
/// page; they are written by one call each.
/// </remarks>
internal static class AcknowledgementCheck
{
    private const int FrameHeader = 24;

    /// <summary>The errors of answers that came too early, and of missing answers.</summary>
    /// <param name="calls">The trace.</param>
    /// <param name="markers">The texts that were sent, each once and by one request at a time of its connection.</param>
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

    /// <summary>The page of the commit frame: the page just written, or a later one of its transaction.</summary>
    private static SystemCall? CommitOf(List<SystemCall> log, int written)
    {
        for (var i = written; i < log.Count; i++)
        {
            if (i > 0 && log[i].IsWrite && log[i].Data.Length > FrameHeader && Commits(log[i - 1]))
                return log[i];
        }

        return null;
    }

    private static bool Commits(SystemCall header) =>
        header.IsWrite && header.Data.Length == FrameHeader && BinaryPrimitives.ReadUInt32BigEndian(header.Data.AsSpan(4)) != 0;
}
