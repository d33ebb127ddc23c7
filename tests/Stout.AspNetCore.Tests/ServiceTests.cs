using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.TestHost;
using Stout.Documents;
using Stout.Storage;
using Stout.Testing;

namespace Stout.AspNetCore.Tests;

/// <summary>The answers of a web service whose store fails.</summary>
public sealed class ServiceTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Store_that_refuses_is_a_fault_of_the_service_which_is_logged()
    {
        await using var service = await Service.StartAsync();
        service.Store.KeyScript = static _ => StoreFault.Refused;
        using var answer = await service.PutAsync("1");
        await CheckAsync(answer, HttpStatusCode.InternalServerError, StoutProblemTypes.ServerFault);
        Assert.Null(answer.Headers.RetryAfter);
        Assert.Single(service.Log, static entry => entry.Contains("Stout.AspNetCore", StringComparison.Ordinal) && entry.Contains("fault of the service", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Overloaded_service_says_when_to_come_back()
    {
        await using var service = await Service.StartAsync(static options =>
        {
            options.Stout.OverloadBehavior = OverloadBehavior.Fail;
            options.Stout.MaxDirtyKeys = 1;
        });
        using var hold = service.Store.Hold(requests: HeldRequests.Writes);
        var first = service.PutAsync("1");
        await hold.WaitUntilHeldAsync(1, Token);
        using var answer = await service.PutAsync("2");
        await CheckAsync(answer, HttpStatusCode.ServiceUnavailable, StoutProblemTypes.Overloaded);
        Assert.True(answer.Headers.RetryAfter!.Delta >= TimeSpan.FromSeconds(1));
        hold.Release();
        using var done = await first;
        Assert.Equal(HttpStatusCode.OK, done.StatusCode);
    }

    [Fact]
    public async Task Unknown_outcome_says_that_the_change_may_have_been_made()
    {
        await using var service = await Service.StartAsync(static options => options.Stout.ResolveUnknownFor = TimeSpan.Zero);
        service.Store.FailNext(StoreFault.None); // The fill.
        service.Store.FailNext(StoreFault.LostAnswer, 1);
        using var answer = await service.PutAsync("1");
        await CheckAsync(answer, HttpStatusCode.GatewayTimeout, StoutProblemTypes.OutcomeUnknown);
        Assert.Null(answer.Headers.RetryAfter);
        Assert.Equal("\"secret value\"", await service.Client.GetStringAsync("/notes/1", Token));
    }

    [Fact]
    public async Task Client_s_error_is_answered_and_not_logged()
    {
        await using var service = await Service.StartAsync();
        using var answer = await service.PutAsync(new string('x', 5_000));
        await CheckAsync(answer, HttpStatusCode.BadRequest, StoutProblemTypes.InvalidKey);
        Assert.Empty(service.Log);
    }

    [Fact]
    public async Task Client_that_accepts_no_json_is_answered_too()
    {
        await using var service = await Service.StartAsync();
        service.Client.DefaultRequestHeaders.Accept.ParseAdd("text/html");
        using var answer = await service.PutAsync(new string('x', 5_000));
        await CheckAsync(answer, HttpStatusCode.BadRequest, StoutProblemTypes.InvalidKey);
    }

    [Fact]
    public async Task Stopped_service_sends_its_clients_elsewhere()
    {
        await using var service = await Service.StartAsync();
        await service.StopStoutAsync();
        using var answer = await service.PutAsync("1");
        await CheckAsync(answer, HttpStatusCode.ServiceUnavailable, StoutProblemTypes.Stopping);
        Assert.NotNull(answer.Headers.RetryAfter);
    }

    [Fact]
    public async Task Handler_that_was_added_before_answers_first()
    {
        await using var service = await Service.StartAsync(handler: typeof(Teapot));
        using var answer = await service.PutAsync(new string('x', 5_000));
        Assert.Equal(418, (int)answer.StatusCode);
    }

    [Fact]
    public async Task Other_exceptions_are_left_to_other_handlers()
    {
        await using var service = await Service.StartAsync();
        using var answer = await service.Client.GetAsync("/bug", Token);
        Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
        Assert.DoesNotContain("urn:", await answer.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);
    }

    private static async Task CheckAsync(HttpResponseMessage answer, HttpStatusCode status, string type)
    {
        Assert.Equal(status, answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
        var text = await answer.Content.ReadAsStringAsync(Token);
        using var problem = JsonDocument.Parse(text);
        Assert.Equal(type, problem.RootElement.GetProperty("type").GetString());
        Assert.Equal((int)status, problem.RootElement.GetProperty("status").GetInt32());
        Assert.DoesNotContain("secret", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Injected", text, StringComparison.Ordinal); // The store's own message.
    }

    private sealed class Teapot : IExceptionHandler
    {
        public ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
        {
            httpContext.Response.StatusCode = StatusCodes.Status418ImATeapot;
            return new(true);
        }
    }

    /// <summary>A web service whose store fails at the test's will.</summary>
    private sealed class Service : IAsyncDisposable
    {
        private readonly WebApplication _app;

        private Service(WebApplication app, FaultyStore store, List<string> log)
        {
            (_app, Store, Log) = (app, store, log);
            Client = app.GetTestClient();
        }

        public HttpClient Client { get; }

        public FaultyStore Store { get; }

        /// <summary>Errors and worse.</summary>
        public List<string> Log { get; }

        public static async Task<Service> StartAsync(Action<DocumentStoreOptions>? configure = null, Type? handler = null)
        {
            var builder = WebApplication.CreateBuilder();
            var log = new List<string>();
            builder.Logging.ClearProviders().AddProvider(new ListLog(log));
            builder.WebHost.UseTestServer();
            var store = new FaultyStore(new InMemoryStore());
            builder.Services.AddStout(configure).UseStore(_ => store).AddCollection<string>("notes");
            if (handler is not null)
                builder.Services.AddSingleton(typeof(IExceptionHandler), handler);
            builder.Services.AddStoutProblemDetails();
            var app = builder.Build();
            app.UseExceptionHandler();
            app.MapPut("/notes/{id}", static (string id, DocumentCollection<string> notes) => notes.UpdateAsync(id, static _ => "secret value"));
            app.MapGet("/notes/{id}", static async (string id, DocumentCollection<string> notes) => Results.Json(await notes.GetAsync(id)));
            app.MapGet("/bug", static string () => throw new InvalidOperationException("secret"));
            await app.StartAsync(Token);
            return new Service(app, store, log);
        }

        public Task<HttpResponseMessage> PutAsync(string id) => Client.PutAsync($"/notes/{id}", null, Token);

        public Task StopStoutAsync() => _app.Services.GetRequiredService<DocumentStore>().StopAsync(Token);

        public ValueTask DisposeAsync() => _app.DisposeAsync();
    }

    private sealed class ListLog(List<string> entries) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => new Logger(categoryName, entries);

        public void Dispose()
        {
        }

        private sealed class Logger(string category, List<string> entries) : ILogger
        {
            public IDisposable? BeginScope<TState>(TState state)
                where TState : notnull => null;

            public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

            public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            {
                if (!IsEnabled(logLevel))
                    return;
                lock (entries)
                    entries.Add($"{category} {formatter(state, exception)}");
            }
        }
    }
}
