using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Azure;
using Azure.Core;
using Stout.AzureTables.Rows;

namespace Stout.AzureTables.Transactions;

/// <summary>
/// The body of an entity group transaction: a multipart/mixed text with one change set, whose parts are HTTP requests. All rows are in one table
/// partition, and each row appears once.
/// </summary>
/// <remarks>
/// Azure.Data.Tables creates a message and a response for each operation. On Azurite with 64 writers that took 34 kB on the heap for each write of 256 bytes,
/// where this body takes 1.5 kB. Azure.Data.Tables also took 3 to 4 times the processor time. So the client sends this body in place of its own.
/// </remarks>
internal sealed class TransactionBody : IDisposable
{
    /// <summary>The most entities of one transaction.</summary>
    public const int MaxEntities = 100;

    /// <summary>The most bytes of one transaction.</summary>
    public const int MaxBytes = 4 << 20;

    public const string ContentType = "multipart/mixed; boundary=batch_stout";

    // No line of the content can start like a boundary: the JSON has no line breaks, and addresses are escaped.
    private static readonly JsonWriterOptions Relaxed = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    private readonly PooledContent _content = new();
    private readonly Utf8JsonWriter _json;
    private readonly string _table;
    private readonly string _partition;

    /// <param name="table">The table's address.</param>
    /// <param name="partition">The table partition's name, which needs no escapes.</param>
    public TransactionBody(string table, string partition)
    {
        _table = table;
        _partition = partition;
        _json = new Utf8JsonWriter(_content, Relaxed);
        Write("--batch_stout\r\nContent-Type: multipart/mixed; boundary=changeset_stout\r\n\r\n"u8);
    }

    /// <summary>The number of operations.</summary>
    public int Count { get; private set; }

    public int Bytes => _content.Length;

    /// <summary>Begins the insert of a row. The transaction fails if the row exists.</summary>
    /// <returns>The writer of the row's properties, valid until <see cref="End"/>.</returns>
    public Utf8JsonWriter BeginInsert(string row)
    {
        BeginRequest("POST "u8);
        Write(" HTTP/1.1\r\nPrefer: return-no-content\r\n"u8);
        BeginEntity(etag: null);
        _json.WriteString("PartitionKey"u8, _partition);
        _json.WriteString("RowKey"u8, row);
        return _json;
    }

    /// <summary>
    /// Begins the replacement of a row, which must have this ETag. Without an ETag the row may have any ETag, and is inserted if it is missing.
    /// </summary>
    /// <returns>The writer of the row's properties, valid until <see cref="End"/>.</returns>
    public Utf8JsonWriter BeginReplace(string row, ETag? etag)
    {
        BeginRequest("PUT "u8, row);
        BeginEntity(etag);
        return _json;
    }

    /// <summary>Begins a change of some properties of a row, which must have this ETag.</summary>
    /// <returns>The writer of the properties, valid until <see cref="End"/>.</returns>
    public Utf8JsonWriter BeginMerge(string row, ETag etag)
    {
        BeginRequest("MERGE "u8, row);
        BeginEntity(etag);
        return _json;
    }

    /// <summary>Writes a time as a property of the current row.</summary>
    public void WriteTime(string property, DateTimeOffset time)
    {
        _json.WriteString(property + "@odata.type", "Edm.DateTime"u8);
        _json.WriteString(property, time.UtcDateTime);
    }

    /// <summary>Writes a number of 64 bits as a property of the current row.</summary>
    public void WriteNumber(string property, long number)
    {
        _json.WriteString(property + "@odata.type", "Edm.Int64"u8);
        _json.WriteString(property, number.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Ends a row's properties.</summary>
    public void End()
    {
        _json.WriteEndObject();
        _json.Flush();
        Write("\r\n"u8);
    }

    /// <summary>Adds the deletion of a row. The transaction fails if the row is missing or has another ETag; <c>*</c> accepts any ETag.</summary>
    public void Delete(string row, ETag etag)
    {
        BeginRequest("DELETE "u8, row);
        WriteCondition(etag);
        Write("\r\n"u8);
    }

    /// <summary>Completes the body, which can be sent once. This object still owns the body's memory.</summary>
    public RequestContent Complete()
    {
        Write("--changeset_stout--\r\n--batch_stout--\r\n"u8);
        return _content;
    }

    public void Dispose()
    {
        _json.Dispose();
        _content.Dispose();
    }

    private void BeginRequest(ReadOnlySpan<byte> method)
    {
        Count++;
        Write("--changeset_stout\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"u8);
        Write(method);
        WriteText(_table);
    }

    private void BeginRequest(ReadOnlySpan<byte> method, string row)
    {
        BeginRequest(method);
        Write("(PartitionKey='"u8);
        WriteText(_partition);
        Write("',RowKey='"u8);
        WriteEscaped(row);
        Write("') HTTP/1.1\r\n"u8);
    }

    private void BeginEntity(ETag? etag)
    {
        Write("Content-Type: application/json\r\nAccept: application/json;odata=minimalmetadata\r\nDataServiceVersion: 3.0;\r\n"u8);
        if (etag is { } condition)
            WriteCondition(condition);
        Write("\r\n"u8);
        _json.Reset();
        _json.WriteStartObject();
    }

    private void WriteCondition(ETag etag)
    {
        Write("If-Match: "u8);
        WriteText(etag.ToString());
        Write("\r\n"u8);
    }

    private void Write(ReadOnlySpan<byte> bytes) => _content.Write(bytes);

    private void WriteText(string text) => Encoding.UTF8.GetBytes(text, _content);

    private void WriteEscaped(string row)
    {
        var utf8 = ArrayPool<byte>.Shared.Rent(3 * row.Length);
        foreach (var unit in utf8.AsSpan(0, Encoding.UTF8.GetBytes(row, utf8)))
        {
            var target = _content.GetSpan(3);
            if (RowKeys.IsPlain(unit))
            {
                target[0] = unit;
                _content.Advance(1);
                continue;
            }

            target[0] = (byte)'%';
            _ = unit.TryFormat(target[1..], out _, "X2", CultureInfo.InvariantCulture);
            _content.Advance(3);
        }

        ArrayPool<byte>.Shared.Return(utf8);
    }
}
