namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// Every state that any key has had in any memory, as a tree. A change makes a state from its parent state, so a state contains all changes on the path
/// from the root to it. A message has seen one of these states, and the store holds one of them for each key.
/// </summary>
internal sealed class Lineage
{
    private readonly List<State> _states = [new State(-1, [], Exists: false)];

    /// <summary>The state of a key that was never written.</summary>
    public const int Nothing = 0;

    public State this[int state] => _states[state];

    public int Add(int parent, Dictionary<string, int> parts, bool exists)
    {
        _states.Add(new State(parent, new Dictionary<string, int>(parts), exists));
        return _states.Count - 1;
    }

    /// <summary>Whether <paramref name="state"/> was made on top of <paramref name="earlier"/>, or is it.</summary>
    public bool Contains(int state, int earlier)
    {
        // A parent has a smaller number than its children, so the walk can stop at the number `earlier`.
        while (state > earlier)
            state = _states[state].Parent;
        return state == earlier;
    }

    /// <summary>One state: the state before, its parts (each is the number of the change that set it), and whether the object exists.</summary>
    public sealed record State(int Parent, Dictionary<string, int> Parts, bool Exists);
}
