using Stout.AspNetCore;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds problem details for the exceptions of Stout.</summary>
public static class StoutProblemDetailsServiceCollectionExtensions
{
    /// <summary>
    /// Adds problem details, and an exception handler that answers the exceptions of Stout by <see cref="StoutProblem"/>. It takes effect with
    /// <c>app.UseExceptionHandler()</c>. A handler that is added before sees the exceptions first.
    /// </summary>
    /// <param name="services">The services.</param>
    public static IServiceCollection AddStoutProblemDetails(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        return services.AddProblemDetails().AddExceptionHandler<StoutExceptionHandler>();
    }
}
