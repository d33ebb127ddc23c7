namespace Stout.Orleans.Tests.Grains;

/// <summary>A gate at which a call of a grain waits for the test.</summary>
public sealed class Gate
{
    private TaskCompletionSource _reached = New();
    private TaskCompletionSource _opened = New();

    /// <summary>Completes when a call waits.</summary>
    public Task Reached => _reached.Task;

    /// <summary>Waits until the test opens the gate.</summary>
    public Task PassAsync()
    {
        var opened = _opened.Task;
        _reached.SetResult();
        return opened;
    }

    /// <summary>Lets the waiting call go on. The next call waits again.</summary>
    public void Open()
    {
        var opened = _opened;
        (_reached, _opened) = (New(), New());
        opened.SetResult();
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
