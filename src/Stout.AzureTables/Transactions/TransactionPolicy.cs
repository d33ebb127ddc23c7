using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Data.Tables;
using Stout.Storage;

namespace Stout.AzureTables.Transactions;

/// <summary>Replaces the client's body by a <see cref="TransactionBody"/>, and reads the answer itself.</summary>
/// <remarks>The client signs, sends and traces the request, and classifies answers that do not concern the operations.</remarks>
internal sealed class TransactionPolicy : HttpPipelinePolicy
{
    private const string Property = "Stout.Transaction";

    // The transaction that the client composes and this policy replaces. The client refuses a transaction without operations.
    private static readonly TableTransactionAction[] Placeholder = [new(TableTransactionActionType.Delete, new TableEntity("-", "-"), ETag.All)];

    /// <summary>Commits a transaction.</summary>
    /// <exception cref="StoreException">The service failed, or its answer leaves the outcome unknown.</exception>
    public static async ValueTask<TransactionAnswer> CommitAsync(TableClient table, TransactionBody body, CancellationToken cancellationToken)
    {
        var call = new Call(body);
        using (HttpPipeline.CreateHttpMessagePropertiesScope(new Dictionary<string, object?> { [Property] = call }))
            await table.SubmitTransactionAsync(Placeholder, cancellationToken).ConfigureAwait(false);
        var answer = call.Answer ?? throw AzureTablesErrors.Unreadable();
        return answer is { ETags: null, Status: 408 or 429 or >= 500 }
            ? throw AzureTablesErrors.Classify(answer.Status, answer.Code, call.RetryAfter)
            : answer;
    }

    public override async ValueTask ProcessAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline)
    {
        if (!message.TryGetProperty(Property, out var property) || property is not Call call)
        {
            await ProcessNextAsync(message, pipeline).ConfigureAwait(false);
            return;
        }

        message.Request.Headers.SetValue("Content-Type", TransactionBody.ContentType);
        message.Request.Content = call.Body.Complete();
        await ProcessNextAsync(message, pipeline).ConfigureAwait(false);
        if (message.Response.Status != 202)
            return;
        using var response = message.Response;
        call.Answer = TransactionAnswer.Read(response.Content.ToMemory().Span, call.Body.Count);
        call.RetryAfter = AzureTablesErrors.RetryAfter(response);
        message.Response = new ReadResponse();
    }

    public override void Process(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline) => ProcessNext(message, pipeline);

    private sealed class Call(TransactionBody body)
    {
        public TransactionBody Body => body;

        public TransactionAnswer? Answer { get; set; }

        public TimeSpan? RetryAfter { get; set; }
    }
}
