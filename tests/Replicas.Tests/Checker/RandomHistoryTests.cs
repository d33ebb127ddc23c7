using Linearizability;
using static Replicas.Tests.Checker.Histories;

namespace Replicas.Tests.Checker;

/// <summary>Random histories. Short ones are compared with a naive model that tries every order; large ones come from a correct register.</summary>
public sealed class RandomHistoryTests
{
    [Fact]
    public void Verdict_is_that_of_trying_every_order()
    {
        var random = new Random(1);
        var verdicts = new int[2];
        for (var i = 0; i < 20_000; i++)
        {
            var history = Enumerable.Range(0, random.Next(1, 6)).Select(_ => Draw(random)).ToArray();
            var expected = HasOrder(history, null) ? Linearizable.Yes : Linearizable.No;
            verdicts[(int)expected]++;
            Assert.True(Check(history) == expected, $"{i}: expected {expected} of\n{string.Join('\n', history.AsEnumerable())}");
        }

        Assert.All(verdicts, count => Assert.True(count > 2_000, "The histories are too much alike."));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void History_of_a_register_that_works_is_linearizable_and_with_one_other_answer_it_is_not(int seed)
    {
        var random = new Random(seed);
        var history = Simulate(random, operations: 2_000, clients: 12);
        Assert.Equal(Linearizable.Yes, Check([.. history]));

        // The last read now has an early value.
        var changed = history.FindLastIndex(operation => operation is { Kind: OperationKind.Read, IsOpen: false });
        history[changed] = history[changed] with { Seen = "0" };
        Assert.Equal(Linearizable.No, Check([.. history]));
    }

    private static Operation Draw(Random random)
    {
        var (from, length) = (random.Next(8), random.Next(6));
        var (value, expected, seen) = (Value(random), Value(random), Value(random));
        Operation operation = random.Next(4) switch
        {
            0 => Read(seen, from, from + length),
            1 => Write(value, from, from + length),
            2 => Exchange(seen, value, from, from + length),
            _ => Change(expected, value, seen, from, from + length),
        };
        var least = random.Next(8);
        operation = operation with
        {
            ExpiresAt = ExpiryOf(operation.Value),
            Least = least,
            Greatest = least + random.Next(4),
        };
        operation = operation with { TellsSeen = operation.Kind == OperationKind.Read || (operation.TellsSeen && random.Next(3) > 0) };
        return operation.Kind != OperationKind.Read && random.Next(3) == 0 ? operation with { Returned = Operation.Never, TellsSeen = false } : operation;
    }

    private static long ExpiryOf(string? value) => value == "x" ? 7 : Operation.Never;

    private static bool MaySee(Operation operation, string? seen, string? value) =>
        (seen == value && ExpiryOf(value) > operation.Least) || (seen is null && ExpiryOf(value) <= operation.Greatest);

    private static string? Value(Random random) => random.Next(3) switch { 0 => null, 1 => "x", _ => "y" };

    /// <summary>
    /// Whether the remaining operations have an order in which each one sees the value before it, beginning with <paramref name="value"/>. An operation may
    /// come next if it began before every other remaining one ended. Open operations may be left out.
    /// </summary>
    private static bool HasOrder(IReadOnlyList<Operation> left, string? value)
    {
        if (left.All(operation => operation.IsOpen))
            return true;
        return left.Any(next =>
        {
            if (left.Any(other => other.Returned < next.Invoked) || (next.TellsSeen && !MaySee(next, next.Seen, value)))
                return false;
            var isMade = next.Kind == OperationKind.Write
                || (next.Kind == OperationKind.Change && (next.TellsSeen ? next.Seen == next.Expected : MaySee(next, next.Expected, value)));
            var after = isMade ? next.Value : value;
            return HasOrder([.. left.Where(other => !ReferenceEquals(other, next))], after);
        });
    }

    /// <summary>Simulates clients whose operations take effect at a random moment between invocation and return. Some operations get no answer.</summary>
    private static List<Operation> Simulate(Random random, int operations, int clients)
    {
        var plans = Enumerable.Range(0, clients).SelectMany(client =>
        {
            var time = 0L;
            return Enumerable.Range(0, operations / clients).Select(_ =>
            {
                var from = time += random.Next(1, 10);
                var effect = from + random.Next(30);
                return (From: from, Effect: effect, To: time = effect + random.Next(30));
            }).ToList();
        });
        string? value = null;
        var number = 0;
        var history = new List<Operation>();
        foreach (var (from, _, to) in plans.OrderBy(plan => plan.Effect))
        {
            var written = $"{number++}";
            var isOpen = random.Next(100) == 0;
            var operation = random.Next(3) switch
            {
                0 => Read(value, from, to),
                1 => Exchange(value, written, from, to),
                _ => Change(random.Next(2) == 0 ? value : "other", written, value, from, to),
            };
            if (isOpen && operation.Kind != OperationKind.Read)
                operation = operation with { Returned = Operation.Never, TellsSeen = false, Seen = null };
            if (isOpen && random.Next(2) == 0)
            {
                // The operation never takes effect.
                if (operation.Kind != OperationKind.Read)
                    history.Add(operation);
                continue;
            }

            if (operation.Kind == OperationKind.Write || (operation.Kind == OperationKind.Change && operation.Expected == value))
                value = written;
            history.Add(operation);
        }

        return history;
    }
}
