using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>Options out of range are refused by name, and the store is closed again.</summary>
public sealed class OptionsTests
{
    public static TheoryData<string, StoutOptions> OutOfRange => new()
    {
        { nameof(StoutOptions.MaxDirtyKeys), new() { MaxDirtyKeys = 0 } },
        { nameof(StoutOptions.MaxUndurableBytes), new() { MaxUndurableBytes = 0 } },
        { nameof(StoutOptions.MaxWaitingMessages), new() { MaxWaitingMessages = -1 } },
        { nameof(StoutOptions.OverloadBehavior), new() { OverloadBehavior = (OverloadBehavior)9 } },
        { nameof(StoutOptions.UnreachableTimeout), new() { UnreachableTimeout = TimeSpan.FromTicks(-1) } },
        { nameof(StoutOptions.ResolveUnknownFor), new() { ResolveUnknownFor = TimeSpan.FromDays(2) } },
        { nameof(StoutOptions.RequestTimeout), new() { RequestTimeout = TimeSpan.Zero } },
        { nameof(StoutOptions.CallbackTimeout), new() { CallbackTimeout = Timeout.InfiniteTimeSpan } },
        { nameof(StoutOptions.MinRetryDelay), new() { MinRetryDelay = TimeSpan.Zero } },
        { nameof(StoutOptions.MaxRetryDelay), new() { MaxRetryDelay = TimeSpan.FromMilliseconds(49) } },
        { nameof(StoutOptions.DeferredKeyDelay), new() { DeferredKeyDelay = TimeSpan.FromHours(1) } },
        { nameof(StoutOptions.Diagnostics), new() { Diagnostics = null! } },
        { "Diagnostics:ClientName", new() { Diagnostics = { ClientName = "" } } },
    };

    [Theory]
    [MemberData(nameof(OutOfRange), DisableDiscoveryEnumeration = true)]
    public async Task An_option_out_of_range_is_named(string option, StoutOptions options)
    {
        var store = new HeldStore();

        var failure = await Assert.ThrowsAsync<InvalidOptionException>(() => Fixture.OpenAsync(store, options));

        Assert.Equal(option, failure.Option);
        Assert.Contains(option, failure.Message, StringComparison.Ordinal);
        Assert.True(store.IsDisposed);
    }

    [Fact]
    public void The_defaults_are_in_range() => new StoutOptions().Validate();

    [Fact]
    public async Task A_law_of_ones_own_is_made_once_for_each_lane()
    {
        var made = 0;
        var options = new StoutOptions
        {
            Pacing = () =>
            {
                made++;
                return new RecordingLaw();
            },
        };
        options.Validate();
        Assert.Equal(0, made);

        await using var fixture = await Fixture.OpenAsync(new InMemoryStore(partitions: 3), options);

        Assert.Equal(3, made);
    }

    [Fact]
    public async Task A_factory_that_makes_no_law_is_refused()
    {
        var options = new StoutOptions { Pacing = () => null! };

        Assert.Equal(nameof(StoutOptions.Pacing), (await Assert.ThrowsAsync<InvalidOptionException>(() => Fixture.OpenAsync(new InMemoryStore(), options))).Option);
    }

    [Fact]
    public async Task What_is_changed_in_the_options_after_opening_has_no_effect()
    {
        var options = new StoutOptions { Pacing = PacingLaws.NoBatching() };
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore(), options);
        options.MaxDirtyKeys = -1;
        options.Pacing = () => null!;

        await fixture.ChangeAsync(await fixture.FillAsync("a"), "works");
    }
}
