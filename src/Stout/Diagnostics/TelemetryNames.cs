using System.Text.Json;
using Stout.Pacing;

namespace Stout.Diagnostics;

/// <summary>The names in tags and logs of request kinds, request outcomes, pacing phases, pacing limits and failures.</summary>
internal static class TelemetryNames
{
    private static readonly string[] Reasons = [.. Enum.GetNames<NotAppliedReason>().Select(JsonNamingPolicy.SnakeCaseLower.ConvertName)];

    public static string Of(StoreRequestKind kind) => kind == StoreRequestKind.Write ? "write" : "read";

    public static string Of(StoreRequestOutcome outcome) => outcome switch
    {
        StoreRequestOutcome.Answered => "answered",
        StoreRequestOutcome.Overloaded => "overloaded",
        StoreRequestOutcome.Unreachable => "unreachable",
        _ => "unknown",
    };

    public static string Of(PacingPhase phase) => phase switch
    {
        PacingPhase.Startup => "startup",
        PacingPhase.Draining => "draining",
        PacingPhase.Descending => "descending",
        PacingPhase.Relearning => "relearning",
        PacingPhase.Refused => "refused",
        _ => "steady",
    };

    public static string Of(PacingLimit limit) => limit switch
    {
        PacingLimit.Interval => "interval",
        PacingLimit.InFlight => "in_flight",
        PacingLimit.Refusals => "refusals",
        PacingLimit.Trouble => "trouble",
        _ => "none",
    };

    public static string Of(StoutException failure) => failure switch
    {
        NotAppliedException notApplied => Reasons[(int)notApplied.Reason],
        OutcomeUnknownException => "outcome_unknown",
        _ => failure.GetType().FullName!,
    };
}
