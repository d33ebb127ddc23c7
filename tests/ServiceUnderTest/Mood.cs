using Stout.Storage;

namespace ServiceUnderTest;

/// <summary>How the store behaves towards requests from now on.</summary>
internal enum Mood
{
    /// <summary>As it is.</summary>
    Well,

    /// <summary>Writes wait until the mood changes; each says so on standard output.</summary>
    Hold,

    /// <summary>It refuses.</summary>
    Refuse,

    /// <summary>It can't be reached.</summary>
    Unreachable,

    /// <summary>It takes writes and does not say what became of them.</summary>
    Silent,
}

/// <summary>The mood, and the requests that wait for another.</summary>
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
