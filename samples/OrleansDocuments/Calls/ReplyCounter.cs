using OrleansDocuments.Grains;

namespace OrleansDocuments.Calls;

/// <summary>
/// Counts the replies of this silo's documents. The counter is the outermost filter, so it sees a reply only after the grain storage has released
/// the reply.
/// </summary>
internal sealed class ReplyCounter : IIncomingGrainCallFilter
{
    private int _held;
    private long _acknowledgedChanges;

    public int Held => Volatile.Read(ref _held);

    public long AcknowledgedChanges => Interlocked.Read(ref _acknowledgedChanges);

    public Task Invoke(IIncomingGrainCallContext context) => context.Grain is DocumentGrain ? CountAsync(context) : context.Invoke();

    private async Task CountAsync(IIncomingGrainCallContext context)
    {
        Interlocked.Increment(ref _held);
        try
        {
            await context.Invoke();
            if (context.MethodName is nameof(IDocumentGrain.WriteAsync) or nameof(IDocumentGrain.RemoveAsync) or nameof(IDocumentGrain.DeleteAsync))
                Interlocked.Increment(ref _acknowledgedChanges);
        }
        finally
        {
            Interlocked.Decrement(ref _held);
        }
    }
}
