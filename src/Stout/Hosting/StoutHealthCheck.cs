using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Stout.Hosting;

/// <summary>
/// Checks a Stout's health: refusals of every request, the age of the oldest undurable change, the store's consecutive failures, and failing
/// background work.
/// </summary>
internal sealed class StoutHealthCheck(StoutInstance instance, StoutHealthOptions options) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(Check());

    private HealthCheckResult Check()
    {
        if (!instance.Client.IsOpen)
            return HealthCheckResult.Unhealthy("The store is not open.");
        if (instance.Client.IsStopping)
            return HealthCheckResult.Unhealthy("Stout is stopping or has been stopped.");
        var now = instance.Client.GetStatistics();
        if (now.StoreRefusal is { } refusal)
            return HealthCheckResult.Unhealthy($"The store refuses every request: {refusal}.");
        var (age, failures) = (now.OldestUndurableAge, now.ConsecutiveFailures);
        var status = age >= options.UnhealthyAge || failures >= options.UnhealthyFailures ? HealthStatus.Unhealthy
            : age >= options.DegradedAge || failures >= options.DegradedFailures || now.BackgroundFailure is not null ? HealthStatus.Degraded
            : HealthStatus.Healthy;
        var description = string.Create(
            CultureInfo.InvariantCulture, $"The oldest undurable change is {age.TotalSeconds:0.###} s old; {failures} store requests in a row were not answered.");
        if (now.BackgroundFailure is { } background)
            description += $" Background work fails, while writes go on: {background}.";
        return new HealthCheckResult(status, description, data: new Dictionary<string, object>
        {
            ["oldestUndurableAgeSeconds"] = age.TotalSeconds,
            ["consecutiveFailures"] = failures,
            ["dirtyKeys"] = now.DirtyKeys,
            ["waitingMessages"] = now.WaitingMessages,
            ["backgroundFailures"] = now.BackgroundFailures,
        });
    }
}
