using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class OtherLawsTests
{
    [Fact]
    public void No_law_does_without_parameters()
    {
        Assert.Throws<ArgumentNullException>(() => new DelayLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new FixedIntervalLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new NoBatchingLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new PaperLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new WindowLaw(null!));
    }

    [Fact]
    public void Only_the_default_law_lets_reads_leave_by_themselves()
    {
        Assert.False(new DelayLaw(new()).PacesReads);
        Assert.All<IPacingLaw>([new NoBatchingLaw(new()), new FixedIntervalLaw(new()), new PaperLaw(new()), new WindowLaw(new())], law => Assert.True(law.PacesReads));
    }

    [Fact]
    public void No_batching_lets_every_change_leave_at_once()
    {
        var law = new NoBatchingLaw(new());

        Assert.Equal(TimeSpan.Zero, law.Interval);
        Assert.Equal(8, law.MaxInFlight);
        Assert.Equal(int.MaxValue, law.MaxBatchKeys);
    }

    [Fact]
    public void No_batching_keeps_to_its_bounds()
    {
        var parameters = new NoBatchingParameters { MaxBatchKeys = 1, MaxInFlight = 2 };
        var law = new NoBatchingLaw(parameters);
        parameters.MaxBatchKeys = 100;

        Assert.Equal(1, law.MaxBatchKeys);
        Assert.Equal(2, law.MaxInFlight);
    }

    [Fact]
    public void A_window_bounds_requests_in_flight_and_nothing_else()
    {
        var law = new WindowLaw(new() { MaxInFlight = 3 });

        Assert.Equal((TimeSpan.Zero, 3, int.MaxValue), (law.Interval, law.MaxInFlight, law.MaxBatchKeys));
        Assert.Equal(1, new WindowLaw(new()).MaxInFlight);
    }

    [Fact]
    public void A_fixed_interval_is_20_ms_by_default_with_nothing_else_bounded()
    {
        var law = new FixedIntervalLaw(new());

        Assert.Equal(TimeSpan.FromMilliseconds(20), law.Interval);
        Assert.Equal(int.MaxValue, law.MaxInFlight);
        Assert.Equal(int.MaxValue, law.MaxBatchKeys);
    }

    [Theory]
    [InlineData(PacingLawName.NoBatching)]
    [InlineData(PacingLawName.FixedInterval)]
    [InlineData(PacingLawName.Window)]
    public void None_of_these_adapts_whatever_the_store_does(PacingLawName name)
    {
        var law = new PacingOptions { Law = name }.CreateLaw();
        var before = law.Interval;
        for (var i = 1; i <= 100; i++)
            law.RequestAnswered(LawDriver.Request(100, latency: 1000 * i, interval: 20, answeredAt: 10_000 * i, outcome: StoreRequestOutcome.Overloaded));

        Assert.Equal(before, law.Interval);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2.5)]
    [InlineData(60_000)]
    public void A_fixed_interval_within_its_range_is_kept_exactly(double milliseconds)
        => Assert.Equal(milliseconds, new FixedIntervalLaw(new() { IntervalMilliseconds = milliseconds }).Interval.TotalMilliseconds);

    [Theory]
    [InlineData(-0.1)]
    [InlineData(60_000.1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void A_fixed_interval_out_of_its_range_is_refused_by_name(double milliseconds)
        => Refused(nameof(FixedIntervalParameters.IntervalMilliseconds), () => new FixedIntervalLaw(new() { IntervalMilliseconds = milliseconds }));

    [Fact]
    public void Bounds_below_one_are_refused_by_name()
    {
        Refused(nameof(FixedIntervalParameters.MaxInFlight), () => new FixedIntervalLaw(new() { MaxInFlight = 0 }));
        Refused(nameof(NoBatchingParameters.MaxInFlight), () => new NoBatchingLaw(new() { MaxInFlight = 0 }));
        Refused(nameof(NoBatchingParameters.MaxBatchKeys), () => new NoBatchingLaw(new() { MaxBatchKeys = 0 }));
    }

    [Fact]
    public void A_law_needs_its_parameters()
    {
        Assert.Throws<ArgumentNullException>(() => new FixedIntervalLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new NoBatchingLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new PaperLaw(null!));
    }

    [Fact]
    public void The_options_make_the_law_that_they_name()
    {
        Assert.IsType<DelayLaw>(new PacingOptions().CreateLaw());
        Assert.IsType<PaperLaw>(new PacingOptions { Law = PacingLawName.Paper }.CreateLaw());
        Assert.IsType<NoBatchingLaw>(new PacingOptions { Law = PacingLawName.NoBatching }.CreateLaw());
        Assert.IsType<FixedIntervalLaw>(new PacingOptions { Law = PacingLawName.FixedInterval }.CreateLaw());
        Assert.IsType<WindowLaw>(new PacingOptions { Law = PacingLawName.Window }.CreateLaw());
    }

    [Fact]
    public void Each_lane_gets_a_law_of_its_own()
    {
        var options = new PacingOptions();

        Assert.NotSame(options.CreateLaw(), options.CreateLaw());
    }

    [Fact]
    public void A_law_of_ones_own_takes_the_place_of_the_named_one()
    {
        var own = new NoBatchingLaw(new());

        Assert.Same(own, new PacingOptions { Custom = () => own }.CreateLaw());
    }

    [Fact]
    public void An_unknown_law_or_a_factory_that_makes_none_is_refused_by_name()
    {
        Refused(nameof(PacingOptions.Law), () => new PacingOptions { Law = (PacingLawName)99 }.CreateLaw());
        Refused(nameof(PacingOptions.Custom), () => new PacingOptions { Custom = () => null! }.CreateLaw());
    }

    [Theory]
    [InlineData(nameof(DelayLawParameters.MaxIntervalMilliseconds), 1, 60_000)]
    [InlineData(nameof(DelayLawParameters.InitialIntervalMilliseconds), 0.1, 60_000)]
    [InlineData(nameof(DelayLawParameters.MaxInFlight), 1, 1000)]
    public void The_default_law_refuses_what_is_out_of_range_by_name(string name, double least, double most)
    {
        var isWhole = name == nameof(DelayLawParameters.MaxInFlight);
        Make(least);
        Make(most);
        Refused(name, () => Make(isWhole ? least - 1 : 0.99 * least));
        Refused(name, () => Make(isWhole ? most + 1 : 1.01 * most));

        DelayLaw Make(double value)
        {
            var parameters = new DelayLawParameters();
            typeof(DelayLawParameters).GetProperty(name)!.SetValue(parameters, isWhole ? (object)(int)value : value);
            return new DelayLaw(parameters);
        }
    }

    private static void Refused(string name, Func<object> make)
        => Assert.Equal(name, Assert.Throws<InvalidOptionException>(make).Option);
}
