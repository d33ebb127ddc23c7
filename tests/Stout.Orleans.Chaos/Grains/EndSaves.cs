namespace Stout.Orleans.Chaos.Grains;

/// <summary>The values that the grains of a silo have written at their deactivation, since the silo began to leave.</summary>
public sealed class EndSaves
{
    private readonly Lock _lock = new();
    private readonly List<EndSave> _saves = [];
    private bool _isLeaving;

    /// <summary>The silo leaves: grains that are deactivated from now on save for good.</summary>
    public void Begin()
    {
        lock (_lock)
            _isLeaving = true;
    }

    /// <summary>A grain has written a value that has to be kept.</summary>
    public void Add(string document, string value)
    {
        lock (_lock)
        {
            if (_isLeaving)
                _saves.Add(new EndSave(document, value));
        }
    }

    /// <summary>The values.</summary>
    public IReadOnlyList<EndSave> All
    {
        get
        {
            lock (_lock)
                return [.. _saves];
        }
    }
}
