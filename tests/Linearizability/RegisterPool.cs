namespace Linearizability;

/// <summary>
/// The registers on which the clients of a test operate. After 500 operations or 12 unknown outcomes, a register is replaced by a new one, which is
/// absent in the store. These limits bound the linearizability checker's search.
/// </summary>
/// <param name="count">How many registers are in use at once.</param>
public sealed class RegisterPool(int count)
{
    private const int MaxOperations = 500;
    private const int MaxUnknown = 12;

    private readonly Lock _lock = new();
    private readonly Register[] _registers = [.. Enumerable.Range(0, count).Select(_ => new Register())];
    private readonly List<string> _all = [];

    /// <summary>Every register that was ever used.</summary>
    public IReadOnlyList<string> All
    {
        get
        {
            lock (_lock)
                return [.. _all];
        }
    }

    /// <summary>Draws a register for one operation. Returns the register's key, and the value that was seen in the register last.</summary>
    public (string Key, string? LastSeen) Draw(Random random)
    {
        ArgumentNullException.ThrowIfNull(random);
        lock (_lock)
        {
            var place = random.Next(_registers.Length);
            var register = _registers[place];
            if (register.Operations++ % MaxOperations == 0 || register.Unknown >= MaxUnknown)
            {
                _registers[place] = register = new Register { Name = $"{place}.{_all.Count}", Operations = 1 };
                _all.Add(register.Name);
            }

            return (register.Name, register.LastSeen);
        }
    }

    /// <summary>Notes a value that was seen in the register.</summary>
    public void NoteValue(string key, string? value) => Note(key, register => register.LastSeen = value);

    /// <summary>Notes an operation with an unknown outcome.</summary>
    public void NoteUnknown(string key) => Note(key, register => register.Unknown++);

    private void Note(string key, Action<Register> note)
    {
        lock (_lock)
        {
            if (Array.Find(_registers, register => register.Name == key) is { } found)
                note(found);
        }
    }

    private sealed class Register
    {
        public string Name { get; init; } = "";

        public string? LastSeen { get; set; }

        public int Operations { get; set; }

        public int Unknown { get; set; }
    }
}
