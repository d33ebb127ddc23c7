using Linearizability;

namespace Replicas.Tests.Checker;

/// <summary>Short forms for histories of one register.</summary>
internal static class Histories
{
    public static Operation Read(string? seen, long from, long to) => Of(OperationKind.Read, from, to) with { Seen = seen, TellsSeen = true };

    /// <summary>A write whose answer does not contain the value before it.</summary>
    public static Operation Write(string? value, long from, long to) => Of(OperationKind.Write, from, to) with { Value = value };

    /// <summary>A write whose answer contains the value before it.</summary>
    public static Operation Exchange(string? seen, string? value, long from, long to) =>
        Of(OperationKind.Write, from, to) with { Value = value, Seen = seen, TellsSeen = true };

    public static Operation Change(string? expected, string? value, string? seen, long from, long to) =>
        Of(OperationKind.Change, from, to) with { Expected = expected, Value = value, Seen = seen, TellsSeen = true };

    public static Operation OpenWrite(string? value, long from) => Of(OperationKind.Write, from, Operation.Never) with { Value = value };

    public static Operation OpenChange(string? expected, string? value, long from) =>
        Of(OperationKind.Change, from, Operation.Never) with { Expected = expected, Value = value };

    public static Linearizable Check(params Operation[] operations) => LinearizabilityChecker.Check(operations).Single().Result;

    private static Operation Of(OperationKind kind, long from, long to) => new() { Key = "a", Kind = kind, Invoked = from, Returned = to };
}
