using System.Threading.Tasks.Sources;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;

namespace Stout.Documents;

/// <summary>
/// One call's changes of one object, with their bytes. The change is also a message, which the lane releases when the change is durable or has failed.
/// The call, and every later call that reads the changed object, waits for the release.
/// </summary>
internal sealed class Change(Document document) : PushedChange, IReleasable, IValueTaskSource, IThreadPoolWorkItem
{
    private static readonly TaskCompletionSource Durable = Completed();

    private CallerWait _caller;

    // Completes the waiting readers. The first reader creates it; if no reader waits, it is set when the outcome is known.
    private TaskCompletionSource? _readers;

    /// <summary>
    /// Whether the change, or an earlier one that is not durable, has replaced an expired object. Any process may sweep such an object, so a conflict of such a
    /// change is retried.
    /// </summary>
    public bool RestsOnExpired { get; set; }

    /// <summary>The value of the counter <see cref="DocumentSet.NextMoment"/> when the change was made.</summary>
    public long MadeAt { get; set; }

    /// <summary>The head of the linked list of changed parts.</summary>
    public Part? FirstPart => (Part?)First;

    /// <summary>Completes when the change is durable, or fails with its error. Any number of readers may await it.</summary>
    public Task Task
    {
        get
        {
            var readers = Volatile.Read(ref _readers);
            if (readers is null)
            {
                var created = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                readers = Interlocked.CompareExchange(ref _readers, created, null) ?? created;
            }

            return readers.Task;
        }
    }

    public void Add(Part part)
    {
        part.NextOfChange = First;
        First = part;
        PartCount++;
        Bytes += part.Size;
    }

    /// <summary>Completes like <see cref="Task"/>, at lower cost. Only the changing caller may await it, once.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken) =>
        new(this, _caller.Begin(this, static (self, token) => ((Change)self!)._caller.Cancel(token), cancellationToken));

    /// <inheritdoc/>
    public IThreadPoolWorkItem Released(KeyHandle handle)
    {
        document.Release(this);
        return this;
    }

    /// <summary>
    /// Completes the waiting readers. A failure is marked as observed, since perhaps no reader awaits the task. The changing caller continues later,
    /// when the thread pool runs the released message.
    /// </summary>
    public void CompleteReaders()
    {
        var readers = Interlocked.CompareExchange(ref _readers, Failure is null ? Durable : Failed(Failure), null);
        if (Failure is null)
        {
            readers?.SetResult();
        }
        else
        {
            readers?.SetException(Failure);
            _ = readers?.Task.Exception;
        }
    }

    void IThreadPoolWorkItem.Execute() => _caller.End(Failure);

    void IValueTaskSource.GetResult(short token) => _caller.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _caller.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _caller.OnCompleted(continuation, state, token, flags);

    private static TaskCompletionSource Completed()
    {
        var completed = new TaskCompletionSource();
        completed.SetResult();
        return completed;
    }

    private static TaskCompletionSource Failed(StoutException failure)
    {
        var failed = new TaskCompletionSource();
        failed.SetException(failure);
        _ = failed.Task.Exception;
        return failed;
    }
}
