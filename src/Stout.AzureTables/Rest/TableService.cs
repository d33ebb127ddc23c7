using System.Globalization;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Stout.Storage;

namespace Stout.AzureTables.Rest;

/// <summary>
/// The three calls that the store is made of: make the table, query rows, commit an entity group transaction. No row key is in an address:
/// those end in logs and traces.
/// </summary>
/// <remarks>Azure.Core's retries are off: the lane has to learn of overload, and repeats what is unknown itself.</remarks>
internal sealed class TableService
{
    // The oldest version with all that is needed here, and so the one that most emulators and stamps know.
    private const string Version = "2019-02-02";

    private const string Json = "application/json;odata=minimalmetadata";

    private readonly HttpPipeline _pipeline;
    private readonly Uri _endpoint;
    private readonly string _table;

    public TableService(TableAccount account, string table, HttpPipelineTransport? transport)
    {
        var options = new Options();
        options.Retry.MaxRetries = 0;
        if (transport is not null)
            options.Transport = transport;
        _pipeline = HttpPipelineBuilder.Build(options, account.Authentication);
        _endpoint = account.Endpoint;
        _table = table;
        TableAddress = $"{_endpoint.AbsoluteUri}/{table}";
    }

    /// <summary>The table's address.</summary>
    public string TableAddress { get; }

    /// <summary>Makes the table, if it is not there.</summary>
    public async ValueTask<bool> CreateTableAsync(CancellationToken cancellationToken)
    {
        using var message = NewMessage(RequestMethod.Post, "/Tables");
        message.Request.Headers.SetValue("Content-Type", "application/json");
        message.Request.Headers.SetValue("Prefer", "return-no-content");
        message.Request.Content = RequestContent.Create(BinaryData.FromString($$"""{"TableName":"{{_table}}"}"""));
        var response = await SendAsync(message, cancellationToken).ConfigureAwait(false);
        if (response.Status is 201 or 204)
            return true;
        var code = new ErrorBody(response.Content.ToMemory().Span).Code;
        return (response.Status, code) is (409, "TableAlreadyExists") ? false : throw TableErrors.Of(response.Status, code, RetryAfter(response));
    }

    /// <summary>Asks for one page of the rows that a filter describes.</summary>
    public async ValueTask<RowPage> QueryAsync(RowQuery query, CancellationToken cancellationToken)
    {
        using var message = NewMessage(RequestMethod.Get, $"/{_table}()");
        query.AddTo(message.Request.Uri);
        var response = await SendAsync(message, cancellationToken).ConfigureAwait(false);
        if (response.Status != 200)
            throw Error(response);
        response.Headers.TryGetValue("x-ms-continuation-NextPartitionKey", out var nextPartition);
        response.Headers.TryGetValue("x-ms-continuation-NextRowKey", out var nextRow);
        return RowPage.Read(response.Content.ToMemory().Span, nextPartition, nextRow);
    }

    /// <summary>Commits a transaction.</summary>
    /// <exception cref="StoreException">The request as a whole was refused, or its answer says nothing.</exception>
    public async ValueTask<TransactionAnswer> CommitAsync(TransactionBody body, CancellationToken cancellationToken)
    {
        using var message = NewMessage(RequestMethod.Post, "/$batch");
        message.Request.Headers.SetValue("Content-Type", TransactionBody.ContentType);
        message.Request.Content = body.Complete();
        var response = await SendAsync(message, cancellationToken).ConfigureAwait(false);
        if (response.Status != 202)
            throw Error(response);
        var answer = TransactionAnswer.Read(response.Content.ToMemory().Span, body.Count) ?? throw TableErrors.Unreadable();
        if (answer.ETags is null && answer.Status is 408 or 429 or >= 500)
            throw TableErrors.Of(answer.Status, answer.Code, RetryAfter(response));
        return answer;
    }

    private HttpMessage NewMessage(RequestMethod method, string path)
    {
        var message = _pipeline.CreateMessage();
        var request = message.Request;
        request.Method = method;
        request.Uri.Reset(_endpoint);
        request.Uri.AppendPath(path, escape: false);
        request.Headers.SetValue("x-ms-version", Version);
        request.Headers.SetValue("DataServiceVersion", "3.0");
        request.Headers.SetValue("Accept", Json);
        return message;
    }

    private async ValueTask<Response> SendAsync(HttpMessage message, CancellationToken cancellationToken)
    {
        await _pipeline.SendAsync(message, cancellationToken).ConfigureAwait(false);
        return message.Response;
    }

    private static StoreException Error(Response response) =>
        TableErrors.Of(response.Status, new ErrorBody(response.Content.ToMemory().Span).Code, RetryAfter(response));

    private static TimeSpan? RetryAfter(Response response)
    {
        if (response.Headers.TryGetValue("x-ms-retry-after-ms", out var text) && uint.TryParse(text, CultureInfo.InvariantCulture, out var milliseconds))
            return TimeSpan.FromMilliseconds(milliseconds);
        return response.Headers.TryGetValue("Retry-After", out text) && uint.TryParse(text, CultureInfo.InvariantCulture, out var seconds)
            ? TimeSpan.FromSeconds(seconds)
            : null;
    }

    private sealed class Options : ClientOptions;
}
