using Orleans.Storage;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>The values that the grains of a silo write at their deactivation, since the silo began to leave, and what the grains were told about them.</summary>
public sealed class EndSaves
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, EndSave> _saves = [];
    private bool _isLeaving;

    /// <summary>The silo leaves: grains that are deactivated from now on save for good.</summary>
    public void Begin()
    {
        lock (_lock)
            _isLeaving = true;
    }

    /// <summary>Runs the save of a value, and notes it with its error. The silo has to keep the value if the save is still under way at the end.</summary>
    public async Task RunAsync(string document, string value, Func<Task> save)
    {
        ArgumentNullException.ThrowIfNull(save);
        var one = new EndSave(document, value);
        Note(one);
        try
        {
            await save();
        }
        catch (Exception error)
        {
            // After any other error the silo has given the value up.
            Note(one with { IsRefused = error is InconsistentStateException or GrainStateOutcomeUnknownException, Error = error.ToString() });
        }
    }

    /// <summary>The values.</summary>
    public IReadOnlyList<EndSave> All
    {
        get
        {
            lock (_lock)
                return [.. _saves.Values];
        }
    }

    private void Note(EndSave save)
    {
        lock (_lock)
        {
            if (_isLeaving)
                _saves[save.Value] = save;
        }
    }
}
