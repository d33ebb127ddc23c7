using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class PaperLawParametersTests
{
    public static PaperLawParameters Calibration(string name) => name switch
    {
        "SqlServer" => PaperLawParameters.SqlServer,
        "PacificA" => PaperLawParameters.PacificA,
        "Sds" => PaperLawParameters.Sds,
        _ => throw new ArgumentOutOfRangeException(nameof(name)),
    };

    [Theory]
    [InlineData("SqlServer", 0.0625, 0.85, 0.1)]
    [InlineData("PacificA", 0.03125, 0.7, 0.125)]
    [InlineData("Sds", 0.0625, 0.2, 0.25)]
    public void The_papers_calibrations(string name, double ewmaFactor, double threshold, double beta)
    {
        var parameters = Calibration(name);

        Assert.Equal(ewmaFactor, parameters.EwmaFactor);
        Assert.Equal(threshold, parameters.Threshold);
        Assert.Equal(beta, parameters.Beta);
        Assert.Equal(10, parameters.MinRequests);
        Assert.Equal(0.5, parameters.MinLatencyFraction);
        Assert.Equal(0.0025, parameters.AlphaPerMillisecond);
        Assert.Equal(0.5, parameters.MaxAlpha);
        Assert.Equal(TimeSpan.FromMilliseconds(80), parameters.InitialInterval);
        Assert.Equal(TimeSpan.FromMilliseconds(400), parameters.MaxInterval);
        Assert.Equal(TimeSpan.FromMilliseconds(1), parameters.MinInterval);
        Assert.Equal(int.MaxValue, parameters.MaxInFlight);
    }

    [Theory]
    [InlineData("SqlServer", 72.8944)] // 9/10 x 80 + 8.94427 / 10
    [InlineData("PacificA", 71.1180)] // 7/8 x 80 + 8.94427 / 8
    [InlineData("Sds", 62.2361)] // 3/4 x 80 + 8.94427 / 4
    public void Each_calibration_has_its_own_acceleration(string name, double expected)
    {
        var driver = new LawDriver(Calibration(name));
        driver.Window(bytes: 1000, latency: 20, interval: 80);

        Assert.Equal(expected, driver.Interval, 0.0002);
    }

    // The best throughput is 1000 bytes / (20 + 80) ms = 10 bytes/ms. The calibrations back off below 8.5, 7 and 2 bytes/ms.
    [Theory]
    [InlineData("SqlServer", 840, true)]
    [InlineData("SqlServer", 860, false)]
    [InlineData("PacificA", 690, true)]
    [InlineData("PacificA", 710, false)]
    [InlineData("Sds", 190, true)]
    [InlineData("Sds", 210, false)]
    public void Each_calibration_has_its_own_threshold(string name, double bytes, bool backsOff)
    {
        var driver = new LawDriver(Calibration(name));
        driver.Window(bytes: 1000, latency: 20, interval: 80);

        Assert.Equal(backsOff, driver.BacksOffAfter(bytes, latency: 20, interval: 80));
    }

    [Theory]
    [InlineData(nameof(PaperLawParameters.EwmaFactor), 0)]
    [InlineData(nameof(PaperLawParameters.EwmaFactor), 1.01)]
    [InlineData(nameof(PaperLawParameters.EwmaFactor), double.NaN)]
    [InlineData(nameof(PaperLawParameters.Threshold), -0.01)]
    [InlineData(nameof(PaperLawParameters.Threshold), 1.01)]
    [InlineData(nameof(PaperLawParameters.MinLatencyFraction), -0.01)]
    [InlineData(nameof(PaperLawParameters.MinLatencyFraction), 101)]
    [InlineData(nameof(PaperLawParameters.AlphaPerMillisecond), -0.01)]
    [InlineData(nameof(PaperLawParameters.AlphaPerMillisecond), 1.01)]
    [InlineData(nameof(PaperLawParameters.MaxAlpha), -0.01)]
    [InlineData(nameof(PaperLawParameters.MaxAlpha), double.PositiveInfinity)]
    [InlineData(nameof(PaperLawParameters.Beta), -0.01)]
    [InlineData(nameof(PaperLawParameters.Beta), 1.01)]
    [InlineData(nameof(PaperLawParameters.MinInterval), 0.99)] // below 1 ms an acceleration would lengthen it
    [InlineData(nameof(PaperLawParameters.MinInterval), 60_001)]
    [InlineData(nameof(PaperLawParameters.MaxInterval), 0.5)]
    [InlineData(nameof(PaperLawParameters.MaxInterval), 60_001)]
    [InlineData(nameof(PaperLawParameters.InitialInterval), 0.5)]
    [InlineData(nameof(PaperLawParameters.InitialInterval), 401)]
    public void A_value_out_of_its_range_is_refused_by_name(string name, double value)
    {
        var parameters = new PaperLawParameters();
        var property = typeof(PaperLawParameters).GetProperty(name)!;
        property.SetValue(parameters, property.PropertyType == typeof(TimeSpan) ? TimeSpan.FromMilliseconds(value) : value);

        Assert.Equal(name, Assert.Throws<InvalidOptionException>(() => new PaperLaw(parameters)).Option);
    }

    [Fact]
    public void A_count_out_of_its_range_is_refused_by_name()
    {
        Refused(nameof(PaperLawParameters.MinRequests), new() { MinRequests = 0 });
        Refused(nameof(PaperLawParameters.MaxInFlight), new() { MaxInFlight = 0 });

        static void Refused(string name, PaperLawParameters parameters)
            => Assert.Equal(name, Assert.Throws<InvalidOptionException>(() => new PaperLaw(parameters)).Option);
    }

    [Fact]
    public void Changing_parameters_later_does_not_change_the_law()
    {
        var parameters = new PaperLawParameters();
        var driver = new LawDriver(parameters);
        parameters.Beta = 1;
        driver.Window(bytes: 1000, latency: 20, interval: 80);

        Assert.Equal(72.8944, driver.Interval, 0.0002);
    }

    [Fact]
    public void The_bound_on_requests_in_flight_is_a_parameter()
        => Assert.Equal(3, new PaperLaw(new() { MaxInFlight = 3 }).MaxInFlight);
}
