using Stout.Storage;

namespace ServiceUnderTest;

/// <summary>The behavior of the store for requests from now on.</summary>
internal enum Mood
{
    /// <summary>The store behaves normally.</summary>
    Well,

    /// <summary>Writes wait until the mood changes. Each waiting write is reported on standard output.</summary>
    Hold,

    /// <summary>The store refuses requests.</summary>
    Refuse,

    /// <summary>The store can't be reached.</summary>
    Unreachable,

    /// <summary>The store applies writes, and their outcome is reported as unknown.</summary>
    Silent,
}

/// <summary>The current mood, and the requests that wait for a change of it.</summary>
internal sealed class MoodSwitch
{
    private readonly Lock _lock = new();
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Mood Mood { get; private set; }

    public async ValueTask PassAsync(string request, CancellationToken cancellationToken)
    {
        Task changed;
        lock (_lock)
        {
            switch (Mood)
            {
                case Mood.Hold when request == "write":
                    changed = _changed.Task;
                    break;
                case Mood.Refuse:
                    throw new StoreException(StoreErrorKind.Refused, "The store refuses, as it was told to.");
                case Mood.Unreachable:
                    throw new StoreException(StoreErrorKind.Unreachable, "The store is not there, as it was told to be.");
                default:
                    return;
            }
        }

        await Console.Out.WriteLineAsync($"{request} held");
        await changed.WaitAsync(cancellationToken);
    }

    public void Set(Mood mood)
    {
        lock (_lock)
        {
            Mood = mood;
            _changed.SetResult();
            _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }
}
