using System.Buffers.Text;
using System.Text;
using Azure;

namespace Stout.AzureTables.Transactions;

/// <summary>The answer to an entity group transaction: committed, or stopped by one operation.</summary>
/// <param name="ETags">The new ETag of each operation's row, in order (null for deleted rows); null if nothing was committed.</param>
/// <param name="Status">Without a commit: the status of the operation that stopped the transaction.</param>
/// <param name="Code">The service's error code.</param>
/// <param name="Operation">The index of the operation that stopped the transaction; null if the service did not name one.</param>
internal sealed record TransactionAnswer(IReadOnlyList<ETag?>? ETags, int Status = 0, string? Code = null, int? Operation = null)
{
    /// <summary>Reads the multipart body of an answer.</summary>
    /// <param name="body">The body.</param>
    /// <param name="operations">The number of operations sent.</param>
    /// <returns>The answer; null if the body is incomplete or invalid, so that the outcome is unknown.</returns>
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

    /// <summary>Moves past the next status line.</summary>
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

    /// <summary>Moves past the headers and the following empty line.</summary>
    /// <returns>The ETag header, or null.</returns>
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
