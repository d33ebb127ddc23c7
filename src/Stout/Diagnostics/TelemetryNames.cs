using Stout.Pacing;

namespace Stout.Diagnostics;

/// <summary>How kinds, outcomes and failures are called in tags and logs.</summary>
internal static class TelemetryNames
{
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
        NotAppliedException notApplied => Of(notApplied.Reason),
        OutcomeUnknownException => "outcome_unknown",
        _ => failure.GetType().Name,
    };

    private static string Of(NotAppliedReason reason) => reason switch
    {
        NotAppliedReason.StoreUnreachable => "store_unreachable",
        NotAppliedReason.StoreRefused => "store_refused",
        NotAppliedReason.SerializationFailed => "serialization_failed",
        NotAppliedReason.SerializationTimedOut => "serialization_timed_out",
        NotAppliedReason.TooLarge => "too_large",
        NotAppliedReason.Conflict => "conflict",
        NotAppliedReason.Fenced => "fenced",
        NotAppliedReason.KeyBusy => "key_busy",
        _ => "stopped",
    };
}
