using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace Documentation.Examples;

/// <summary>The code of the page inside the package Stout.AspNetCore.</summary>
public static class AspNetCorePage
{
    public static WebApplication Build(WebApplicationBuilder builder)
    {
        #region problems
        builder.Services.AddStoutProblemDetails();

        var app = builder.Build();
        app.UseExceptionHandler();
        #endregion
        return app;
    }
}
