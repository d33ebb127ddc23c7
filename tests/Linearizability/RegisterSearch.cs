using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Linearizability;

/// <summary>
/// Searches for an order of one register's operations, as Porcupine does. The search is Wing and Gong's (Testing and Verifying Concurrent Objects, 1993).
/// It remembers the states that it has visited, as Lowe's does (Testing for Linearizability, 2017).
/// </summary>
/// <remarks>
/// <para>Each step appends an operation that was invoked before any remaining operation returned, and whose answer fits the register's value. If no
/// operation fits, the last step is undone. The search visits each pair of a set of operations and a value once. It identifies a set by the exclusive or
/// of random 128-bit numbers, one for each operation.</para>
/// <para>Operations that have ended are tried first, and open ones only where they change the value. An open operation is left out if its value never
/// expires, no answer tells the value, and no change expects it. Any order with such an operation stays an order without it.</para>
/// </remarks>
internal sealed class RegisterSearch
{
    private const int Absent = 0;

    private readonly Operation[] _ended;
    private readonly Operation[] _open;
    private readonly EventList _events;
    private readonly bool[] _isTaken;
    private readonly UInt128[] _marks;
    private readonly Dictionary<string, int> _values = [];
    private readonly (int Expected, int Value, int Seen)[] _numbers;
    private readonly long[] _expiries;
    private readonly HashSet<(UInt128 Operations, int Value)> _known = [];
    private readonly Stack<(int Operation, UInt128 Set, int Value)> _order = new();
    private (int Length, int Value, IReadOnlyList<Operation> Next) _farthest = (-1, Absent, []);

    public RegisterSearch(IReadOnlyList<Operation> operations)
    {
        _ended = [.. operations.Where(operation => !operation.IsOpen)];
        _open = [.. MayMatter(operations)];
        _events = new EventList(_ended);
        _isTaken = new bool[_open.Length];
        _marks = new UInt128[_ended.Length + _open.Length];
        new Random(1).NextBytes(MemoryMarshal.AsBytes(_marks.AsSpan()));
        _numbers = [.. _ended.Concat(_open).Select(operation => (Number(operation.Expected), Number(operation.Value), Number(operation.Seen)))];
        _expiries = new long[_values.Count + 1];
        Array.Fill(_expiries, Operation.Never);
        foreach (var operation in operations.Where(operation => operation.ExpiresAt != Operation.Never && operation.Value is not null))
            _expiries[Number(operation.Value)] = operation.ExpiresAt;
    }

    public Linearizable Run(long maxSteps)
    {
        var (set, value) = (UInt128.Zero, Absent);
        var candidate = _events.First;
        for (var steps = 0L; _events.First != _events.End; steps++)
        {
            if (steps > maxSteps)
                return Linearizable.Unknown;
            if (FindStep(candidate, set, value, out var after) is { } operation)
            {
                _order.Push((operation, set, value));
                Take(operation);
                (set, value) = (set ^ _marks[operation], after);
                candidate = _events.First;
                continue;
            }

            if (_order.Count > _farthest.Length)
                _farthest = (_order.Count, value, Overlapping());
            if (!_order.TryPop(out var undone))
                return Linearizable.No;
            (operation, set, value) = undone;
            PutBack(operation);
            candidate = After(operation);
        }

        return Linearizable.Yes;
    }

    /// <summary>Describes the longest order that was found, and the operations that can't come next in it.</summary>
    public string Explain()
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{_farthest.Length} operations have an order, which leaves {Operation.Show(_values.FirstOrDefault(pair => pair.Value == _farthest.Value).Key)}. None of these can follow:");
        foreach (var operation in _farthest.Next)
            text.Append(CultureInfo.InvariantCulture, $"\n  {operation}");
        return text.ToString();
    }

    // A candidate is a position in the list of events or, from the list's end on, the end plus the index of an open operation.
    private int? FindStep(int candidate, UInt128 set, int value, out int after)
    {
        after = value;
        for (; candidate < _events.End && !_events[candidate].IsReturn; candidate = _events.Next(candidate))
        {
            var operation = _events[candidate].Operation;
            if (Fits(operation, value, out after) && _known.Add((set ^ _marks[operation], after)))
                return operation;
        }

        var deadline = _events.FirstReturn();
        for (var i = Math.Max(0, candidate - _events.End); i < _open.Length; i++)
        {
            var operation = _ended.Length + i;
            if (!_isTaken[i] && _open[i].Invoked <= deadline && Fits(operation, value, out after) && after != value && _known.Add((set ^ _marks[operation], after)))
                return operation;
        }

        return null;
    }

    private bool Fits(int operation, int value, out int after)
    {
        var one = operation < _ended.Length ? _ended[operation] : _open[operation - _ended.Length];
        var (expected, written, seen) = _numbers[operation];
        after = one.Kind switch
        {
            OperationKind.Write => written,
            OperationKind.Change when (one.TellsSeen ? seen == expected : MaySee(one, expected, value)) => written,
            _ => value,
        };
        return !one.TellsSeen || MaySee(one, seen, value);
    }

    /// <summary>Whether an operation may see the value <paramref name="seen"/> in a register that holds <paramref name="value"/>.</summary>
    private bool MaySee(Operation operation, int seen, int value) =>
        (seen == value && _expiries[value] > operation.Least) || (seen == Absent && _expiries[value] <= operation.Greatest);

    private void Take(int operation)
    {
        if (operation < _ended.Length)
            _events.Lift(operation);
        else
            _isTaken[operation - _ended.Length] = true;
    }

    private void PutBack(int operation)
    {
        if (operation < _ended.Length)
            _events.PutBack(operation);
        else
            _isTaken[operation - _ended.Length] = false;
    }

    private int After(int operation) =>
        operation < _ended.Length ? _events.Next(_events.InvocationOf(operation)) : _events.End + (operation - _ended.Length) + 1;

    /// <summary>The operations of which the next step had to choose one.</summary>
    private List<Operation> Overlapping()
    {
        var deadline = _events.FirstReturn();
        var next = new List<Operation>();
        for (var position = _events.First; position != _events.End && !_events[position].IsReturn; position = _events.Next(position))
            next.Add(_ended[_events[position].Operation]);
        next.AddRange(_open.Where((operation, i) => !_isTaken[i] && operation.Invoked <= deadline));
        return next;
    }

    private static IEnumerable<Operation> MayMatter(IReadOnlyList<Operation> operations)
    {
        var noticed = operations.Where(operation => operation.TellsSeen).Select(operation => operation.Seen)
            .Concat(operations.Where(operation => operation.Kind == OperationKind.Change).Select(operation => operation.Expected))
            .ToHashSet();
        return operations.Where(operation => operation.IsOpen && operation.Kind != OperationKind.Read
            && (operation.ExpiresAt != Operation.Never || noticed.Contains(operation.Value)));
    }

    private int Number(string? value)
    {
        if (value is null)
            return Absent;
        if (!_values.TryGetValue(value, out var number))
            _values.Add(value, number = _values.Count + 1);
        return number;
    }
}
