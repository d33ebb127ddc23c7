using Stout.Storage;
using Suite = Stout.Testing.StorageProxySpecification;

namespace Stout.Testing.Tests.Broken;

/// <summary>Proxies that set their store up, or sweep it, in a wrong way.</summary>
internal static partial class BrokenProxies
{
    [CaughtBy(nameof(Suite.Set_up_that_ended_half_way_is_finished))]
    public static BrokenPromise Refuses_what_is_there_already()
    {
        var openings = 0;
        return new()
        {
            Opened = () =>
            {
                if (++openings > 1)
                    throw new StoreException(StoreErrorKind.LayoutMismatch, "There is something already.");
            },
        };
    }

    [CaughtBy(nameof(Suite.Set_ups_at_once_make_one_set))]
    public static BrokenPromise Makes_a_set_for_each_client() => new() { ForgetsAllAtClosing = true };

    [CaughtBy(nameof(Suite.Dead_rows_go_at_the_interval_in_batches_of_any_size))]
    public static BrokenPromise Sweeps_at_an_interval_of_its_own() => new() { Sweeping = sweeping => sweeping with { Interval = TimeSpan.FromMinutes(1) } };

    [CaughtBy(nameof(StorageProxySpecification.Failing_sweep_is_a_failing_job_until_one_succeeds_and_writes_go_on))]
    public static BrokenPromise Keeps_failing_sweeps_to_itself() => new() { HidesFailingSweeps = true };

    [CaughtBy(nameof(Suite.Dead_rows_go_at_the_interval_in_batches_of_any_size))]
    public static BrokenPromise Sweeps_once_a_day() => new() { Sweeping = sweeping => sweeping with { Interval = TimeSpan.FromDays(1) } };

    [CaughtBy(nameof(Suite.Dead_rows_go_at_the_interval_in_batches_of_any_size))]
    public static BrokenPromise Sweeps_one_row_at_each_interval() => new()
    {
        Sweeping = sweeping => sweeping with { BatchSize = 1 },
        SweepsABatchAlone = true,
    };

    [CaughtBy(nameof(Suite.Deleted_header_goes_when_its_retention_is_over))]
    public static BrokenPromise Keeps_headers_for_a_shorter_time() => new()
    {
        Sweeping = sweeping => sweeping with { Retention = sweeping.Retention - TimeSpan.FromMinutes(2) },
    };

    [CaughtBy(nameof(Suite.Deleted_header_goes_when_its_retention_is_over))]
    public static BrokenPromise Keeps_headers_for_ever() => new() { Sweeping = sweeping => sweeping with { Retention = TimeSpan.FromDays(3_650) } };
}
