using Stout.Pacing;
using Stout.Storage;

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
        var parameters = new NoBatchingLawParameters { MaxBatchKeys = 1, MaxInFlight = 2 };
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
    [InlineData(nameof(PacingLaws.NoBatching))]
    [InlineData(nameof(PacingLaws.FixedInterval))]
    [InlineData(nameof(PacingLaws.Window))]
    public void None_of_these_adapts_whatever_the_store_does(string name)
    {
        var law = PacingLaws.Named(name)();
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
        => Assert.Equal(milliseconds, new FixedIntervalLaw(new() { Interval = TimeSpan.FromMilliseconds(milliseconds) }).Interval.TotalMilliseconds);

    [Theory]
    [InlineData(-0.1)]
    [InlineData(60_000.1)]
    public void A_fixed_interval_out_of_its_range_is_refused_by_name(double milliseconds)
        => Refused(nameof(FixedIntervalLawParameters.Interval), () => new FixedIntervalLaw(new() { Interval = TimeSpan.FromMilliseconds(milliseconds) }));

    [Fact]
    public void Bounds_below_one_are_refused_by_name()
    {
        Refused(nameof(FixedIntervalLawParameters.MaxInFlight), () => new FixedIntervalLaw(new() { MaxInFlight = 0 }));
        Refused(nameof(NoBatchingLawParameters.MaxInFlight), () => new NoBatchingLaw(new() { MaxInFlight = 0 }));
        Refused(nameof(NoBatchingLawParameters.MaxBatchKeys), () => new NoBatchingLaw(new() { MaxBatchKeys = 0 }));
    }

    [Fact]
    public void A_law_needs_its_parameters()
    {
        Assert.Throws<ArgumentNullException>(() => new FixedIntervalLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new NoBatchingLaw(null!));
        Assert.Throws<ArgumentNullException>(() => new PaperLaw(null!));
    }

    [Fact]
    public void Each_name_stands_for_its_law()
    {
        Assert.Equal(["Delay", "FixedInterval", "NoBatching", "Paper", "Window"], PacingLaws.Names.Order(StringComparer.Ordinal));
        Assert.IsType<DelayLaw>(PacingLaws.Named("Delay")());
        Assert.IsType<PaperLaw>(PacingLaws.Named("paper")());
        Assert.IsType<NoBatchingLaw>(PacingLaws.Named("NoBatching")());
        Assert.IsType<FixedIntervalLaw>(PacingLaws.Named("FixedInterval")());
        Assert.IsType<WindowLaw>(PacingLaws.Named("WINDOW")());
    }

    [Fact]
    public void An_unknown_name_is_refused_with_the_names_that_exist()
    {
        var error = Assert.Throws<InvalidOptionException>(() => PacingLaws.Named("Dealy"));

        Assert.Equal("it must be one of Delay, Window, NoBatching, FixedInterval, Paper", error.Allowed);
    }

    [Fact]
    public void The_default_follows_the_delay_where_processes_share_the_store() =>
        Assert.IsType<DelayLaw>(PacingLaws.Default(new StorageCapabilities { Shared = true }, new Partition()));

    [Fact]
    public void The_default_follows_the_partition_where_one_process_has_the_store()
    {
        var partition = new Partition();
        var law = PacingLaws.Default(new StorageCapabilities { Shared = false }, partition);

        Assert.Equal((1, TimeSpan.Zero, int.MaxValue, true), (law.MaxInFlight, law.Interval, law.MaxBatchKeys, law.EqualBatches));
        partition.PreferredInFlight = 2;
        Assert.Equal(1, law.MaxInFlight);
        law.RequestAnswered(default);
        Assert.Equal(2, law.MaxInFlight);
    }

    [Fact]
    public void Each_lane_gets_a_law_of_its_own()
    {
        Assert.All(PacingLaws.Names, name =>
        {
            var factory = PacingLaws.Named(name);
            Assert.NotSame(factory(), factory());
        });
    }

    [Fact]
    public void A_factory_keeps_the_parameters_that_it_was_made_with()
    {
        var parameters = new WindowLawParameters { MaxInFlight = 3 };
        var factory = PacingLaws.Window(parameters);
        parameters.MaxInFlight = 5;

        Assert.Equal(3, factory().MaxInFlight);
    }

    [Fact]
    public void A_factory_refuses_parameters_out_of_range_when_it_is_made()
    {
        Refused(nameof(DelayLawParameters.MaxInFlight), () => PacingLaws.Delay(new() { MaxInFlight = 0 }));
        Refused(nameof(WindowLawParameters.MaxInFlight), () => PacingLaws.Window(new() { MaxInFlight = 0 }));
        Refused(nameof(NoBatchingLawParameters.MaxInFlight), () => PacingLaws.NoBatching(new() { MaxInFlight = 0 }));
        Refused(nameof(FixedIntervalLawParameters.MaxInFlight), () => PacingLaws.FixedInterval(new() { MaxInFlight = 0 }));
        Refused(nameof(PaperLawParameters.MaxInFlight), () => PacingLaws.Paper(new() { MaxInFlight = 0 }));
    }

    [Theory]
    [InlineData(nameof(DelayLawParameters.MaxInterval), 1, 60_000)]
    [InlineData(nameof(DelayLawParameters.InitialInterval), 0.1, 60_000)]
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
            typeof(DelayLawParameters).GetProperty(name)!.SetValue(parameters, isWhole ? (int)value : TimeSpan.FromMilliseconds(value));
            return new DelayLaw(parameters);
        }
    }

    private static void Refused(string name, Func<object> make)
        => Assert.Equal(name, Assert.Throws<InvalidOptionException>(make).Option);

    private sealed class Partition : IStorePartition
    {
        public int PreferredInFlight { get; set; } = 1;

        public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
