using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;

namespace Stout.Hosting.Tests;

/// <summary>The section <c>Pacing</c>: the law's name, and the parameters of the law of that name.</summary>
public sealed class PacingSettingsTests
{
    [Fact]
    public async Task Law_is_chosen_by_name_with_the_parameters_of_its_section()
    {
        var law = await LawOfAsync(("Stout:Pacing:Law", "window"), ("Stout:Pacing:Window:MaxInFlight", "3"));
        Assert.Equal(3, Assert.IsType<WindowLaw>(law).MaxInFlight);
        law = await LawOfAsync(("Stout:Pacing:Law", "FixedInterval"), ("Stout:Pacing:FixedInterval:Interval", "00:00:00.030"));
        Assert.Equal(TimeSpan.FromMilliseconds(30), Assert.IsType<FixedIntervalLaw>(law).Interval);
        law = await LawOfAsync(("Stout:Pacing:Law", "Paper"), ("Stout:Pacing:Paper:InitialInterval", "00:00:00.020"));
        Assert.Equal(TimeSpan.FromMilliseconds(20), Assert.IsType<PaperLaw>(law).Interval);
        law = await LawOfAsync(("Stout:Pacing:Law", "NoBatching"), ("Stout:Pacing:NoBatching:MaxBatchKeys", "7"));
        Assert.Equal(7, Assert.IsType<NoBatchingLaw>(law).MaxBatchKeys);
    }

    [Fact]
    public async Task Parameters_of_the_default_law_need_no_name()
    {
        var law = await LawOfAsync(("Stout:Pacing:Delay:InitialInterval", "00:00:00.050"));
        Assert.Equal(TimeSpan.FromMilliseconds(50), Assert.IsType<DelayLaw>(law).Interval);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("NoBatching")]
    public async Task Parameter_of_a_law_that_is_not_chosen_is_refused(string? law)
    {
        (string, string)[] named = law is null ? [] : [("Stout:Pacing:Law", law)];

        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => LawOfAsync([.. named, ("Stout:Pacing:Window:MaxInFlight", "2")]));

        Assert.Equal(("Stout:Pacing:Window:MaxInFlight", "it has no effect unless Stout:Pacing:Law is Window"), (error.Option, error.Allowed));
    }

    [Fact]
    public async Task Section_of_a_law_that_is_not_chosen_is_permitted_by_the_application()
    {
        using var host = TestHost.Build(
            services => services.AddStout().UseInMemory().IgnoreSettings("Pacing:Window"),
            settings: [("Stout:Pacing:Law", "NoBatching"), ("Stout:Pacing:Window:MaxInFlight", "2")]);
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.IsType<NoBatchingLaw>(Law(host.Services));
    }

    [Fact]
    public async Task Code_has_the_last_word_over_the_law()
    {
        using var host = TestHost.Build(
            services => services.AddStout(options => options.Stout.Pacing = PacingLaws.Window()).UseInMemory(), settings: ("Stout:Pacing:Law", "NoBatching"));
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.IsType<WindowLaw>(Law(host.Services));
    }

    [Theory]
    [InlineData("Stout:Pacing:Delay:MaxInterval", "00:00:00.0005", "it must be between 00:00:00.0010000 and 00:01:00")]
    [InlineData("Stout:Pacing:Law", "Dealy", "it must be one of Delay, Window, NoBatching, FixedInterval, Paper")]
    [InlineData("Stout:Pacing:Laws", "Delay", "there is no such option")]
    [InlineData("Stout:Pacing", "Delay", "it is a section, and Stout:Pacing:Law names the law")]
    public async Task Setting_that_is_wrong_stops_the_start_with_its_path_and_what_is_allowed(string option, string value, string allowed)
    {
        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => LawOfAsync((option, value)));
        Assert.Equal((option, allowed), (error.Option, error.Allowed));
        Assert.DoesNotContain(value + ' ', error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Parameter_that_the_law_does_not_have_is_refused_by_name()
    {
        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => LawOfAsync(("Stout:Pacing:Law", "Window"), ("Stout:Pacing:Window:MaxInterval", "00:00:01")));
        Assert.Equal("Stout:Pacing:Window:MaxInterval", error.Option);
    }

    private static async Task<IPacingLaw> LawOfAsync(params (string Key, string Value)[] settings)
    {
        using var host = TestHost.Build(services => services.AddStout().UseInMemory(), settings: settings);
        await host.StartAsync(TestContext.Current.CancellationToken);
        return Law(host.Services);
    }

    private static IPacingLaw Law(IServiceProvider services) =>
        services.GetRequiredService<IOptionsMonitor<DocumentStoreOptions>>().CurrentValue.Stout.Pacing!();
}
