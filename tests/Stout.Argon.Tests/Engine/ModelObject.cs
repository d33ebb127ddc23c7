using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>The naive model of one object: all states that it has had, and the states that a power cut may leave.</summary>
internal sealed class ModelObject
{
    public const int Blocks = 120;

    // The states since the last flush that was answered, each with its length and its blocks.
    private readonly List<(long Length, int[] Versions)> _states = [(0, new int[Blocks])];
    private int _dropped;

    public ModelFile File { get; private set; } = new();

    public required ObjectState Target { get; set; }

    /// <summary>Whether a write or a sync of the object has failed.</summary>
    public bool Damaged { get; set; }

    /// <summary>Whether a forget of the object has been asked for, so that its requests may fail.</summary>
    public bool Ending { get; set; }

    public long Length => _states[^1].Length;

    /// <summary>The number of the present state.</summary>
    public int State => _dropped + _states.Count - 1;

    public int this[long block] => block < Blocks ? _states[^1].Versions[block] : 0;

    public void Write(long first, int count, long end, int version)
    {
        var versions = (int[])_states[^1].Versions.Clone();
        Array.Fill(versions, version, (int)first, count);
        _states.Add((Math.Max(Length, end), versions));
    }

    public void Resize(long length)
    {
        var versions = (int[])_states[^1].Versions.Clone();
        versions.AsSpan((int)((length + 4095) / 4096)).Clear();
        _states.Add((length, versions));
        // A shorter length is durable when the resize returns.
        if (_states.Count > 1 && length < _states[^2].Length)
            Flushed(State, onlyLength: true);
    }

    /// <summary>Notes that a flush was answered, which was asked for in a given state.</summary>
    public void Flushed(int state) => Flushed(state, onlyLength: false);

    /// <summary>Begins anew with what the disk has: after a deletion, or after a failure.</summary>
    public void Reopen(ObjectState target, bool deleted)
    {
        if (deleted)
            File = new ModelFile();
        File.Cut(File.Length);
        File.Sync();
        Target = target;
        Damaged = Ending = false;
        var versions = new int[Blocks];
        for (var block = 0; block < Blocks; block++)
            versions[block] = File[block];
        _dropped += _states.Count;
        _states.Clear();
        _states.Add((File.Length, versions));
    }

    /// <summary>Compares the file with the present state, after a flush without later changes.</summary>
    public string? Differs()
    {
        if (File.Length != Length)
            return $"the length is {File.Length} on the disk; it was set to {Length}";
        for (var block = 0; block < Blocks; block++)
        {
            if (File[block] != this[block])
                return $"block {block} is {File[block]} on the disk; {this[block]} was written";
        }

        return null;
    }

    /// <summary>Compares the file after a power cut with the states since the last answered flush.</summary>
    public string? Lost()
    {
        if (!_states.Exists(state => state.Length == File.Length))
            return $"the length is {File.Length} after the power cut; it was {_states[0].Length} at the last flush";
        for (var block = 0; block < (File.Length + 4095) / 4096; block++)
        {
            if (!_states.Exists(state => state.Versions[block] == File[block]))
                return $"block {block} is {File[block]} after the power cut; it was {_states[0].Versions[block]} at the last flush";
        }

        return null;
    }

    private void Flushed(int state, bool onlyLength)
    {
        var count = state - _dropped;
        if (count <= 0)
            return;
        if (onlyLength)
        {
            // The earlier states stay possible for the blocks that were kept.
            var kept = (int)((_states[count].Length + 4095) / 4096);
            for (var i = 0; i < count; i++)
                _states[i] = (_states[count].Length, [.. _states[i].Versions.Take(kept), .. new int[Blocks - kept]]);
            return;
        }

        _states.RemoveRange(0, count);
        _dropped += count;
    }
}
