using System.Buffers.Text;
using System.Text;
using Azure;

namespace Stout.AzureTables.Transactions;

/// <summary>What the service answered to an entity group transaction: committed, or stopped by one of its operations.</summary>
/// <param name="ETags">The new ETag of each operation's row, in their order (null for rows that went); null if nothing was committed.</param>
/// <param name="Status">If nothing was committed: the status of the operation that stopped it.</param>
/// <param name="Code">The service's code for why.</param>
/// <param name="Operation">Which operation it was, from 0; null if the service did not say.</param>
internal sealed record TransactionAnswer(IReadOnlyList<ETag?>? ETags, int Status = 0, string? Code = null, int? Operation = null)
{
    /// <summary>Reads the multipart body of an answer.</summary>
    /// <param name="body">The body.</param>
    /// <param name="operations">How many operations were sent.</param>
    /// <returns>Null: it is not whole, or not what an answer has to be, and says nothing of what became of the transaction.</returns>
    public static TransactionAnswer? Read(ReadOnlySpan<byte> body, int operations)
    {
        var etags = new List<ETag?>(operations);
        var rest = body;
        while (NextAnswer(ref rest) is { } status)
        {
            var etag = ReadHeaders(ref rest);
            if (status >= 400)
                return new ErrorBody(rest).ToAnswer(status);
            if (status >= 300)
                return null;
            etags.Add(etag);
        }

        return etags.Count == operations ? new TransactionAnswer(etags) : null;
    }

    /// <summary>Goes to the next status line, and past it.</summary>
    /// <returns>The status; null at the end.</returns>
    private static int? NextAnswer(ref ReadOnlySpan<byte> rest)
    {
        while (TakeLine(ref rest, out var line))
        {
            if (line.StartsWith("HTTP/1.1 "u8))
                return Utf8Parser.TryParse(line[9..], out int status, out _) ? status : null;
        }

        return null;
    }

    /// <summary>Goes past the headers and the empty line after them.</summary>
    /// <returns>The ETag among them, if there is one.</returns>
    private static ETag? ReadHeaders(ref ReadOnlySpan<byte> rest)
    {
        ETag? etag = null;
        while (TakeLine(ref rest, out var line) && !line.IsEmpty && !line.StartsWith("--"u8))
        {
            if (line.Length > 5 && Ascii.EqualsIgnoreCase(line[..5], "ETag:"u8))
                etag = new ETag(Encoding.UTF8.GetString(line[5..].Trim((byte)' ')));
        }

        return etag;
    }

    private static bool TakeLine(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> line)
    {
        line = default;
        var end = rest.IndexOf((byte)'\n');
        if (end < 0)
            return false;
        line = rest[..end].TrimEnd((byte)'\r');
        rest = rest[(end + 1)..];
        return true;
    }
}
