namespace Linearizability;

/// <summary>
/// The registers that are in use. A register is given up for a new one after some operations or unknown outcomes: both bound what the checker has to
/// search, and new ones are absent in the store.
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

    /// <summary>A register for one operation, and the value that was seen in it last.</summary>
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

    /// <summary>A value was in the register.</summary>
    public void NoteValue(string key, string? value) => Note(key, register => register.LastSeen = value);

    /// <summary>An operation has an unknown outcome.</summary>
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
