using System.Diagnostics.CodeAnalysis;
using Azure;
using Azure.Core;

namespace Stout.AzureTables.Transactions;

/// <summary>The response that the client gets in place of the real answer, which has been read already: accepted, without operations.</summary>
internal sealed class ReadResponse : Response
{
    private const string ContentType = "multipart/mixed; boundary=read";

    private static readonly byte[] Body = [.. "--read--\r\n"u8];

    public override int Status => 202;

    public override string ReasonPhrase => "Accepted";

    public override Stream? ContentStream { get; set; } = new MemoryStream(Body, writable: false);

    public override string ClientRequestId { get; set; } = "";

    public override void Dispose()
    {
    }

    protected override bool TryGetHeader(string name, [NotNullWhen(true)] out string? value)
    {
        value = ContainsHeader(name) ? ContentType : null;
        return value is not null;
    }

    protected override bool TryGetHeaderValues(string name, [NotNullWhen(true)] out IEnumerable<string>? values)
    {
        values = ContainsHeader(name) ? [ContentType] : null;
        return values is not null;
    }

    protected override bool ContainsHeader(string name) => name.Equals("Content-Type", StringComparison.OrdinalIgnoreCase);

    protected override IEnumerable<HttpHeader> EnumerateHeaders() => [new HttpHeader("Content-Type", ContentType)];
}
