namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// The time limit of a call's answer, as docs/guarantees.md promises it for any number of waiting calls. A schedule may run a process later than its
/// core has requested: the limit grows by that delay.
/// </summary>
internal readonly record struct TimeLimit(string What, TimeSpan Since, TimeSpan Longest, TimeSpan OversleptBefore)
{
    public static TimeSpan OfAdmission(StoutOptions options) => Max(options.UnreachableTimeout, options.RequestTimeout / 8);

    public static TimeSpan OfAFill(StoutOptions options, TimeSpan interval) =>
        OfAdmission(options) + interval + options.RequestTimeout + options.CallbackTimeout;

    public static TimeSpan OfAChange(StoutOptions options, TimeSpan interval) =>
        OfAdmission(options) + interval + options.CallbackTimeout + (2 * (options.RequestTimeout + options.ResolveUnknownFor));

    public void Check(TimeSpan now, TimeSpan overslept)
    {
        if (now - Since > Longest + (overslept - OversleptBefore))
            throw new ScheduleViolation($"{What} waits for {now - Since}, and no longer than {Longest} was promised ({overslept - OversleptBefore} overslept)");
    }

    private static TimeSpan Max(TimeSpan a, TimeSpan b) => a > b ? a : b;
}
