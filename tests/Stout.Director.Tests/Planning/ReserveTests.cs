using Stout.Director.Planning;

namespace Stout.Director.Tests.Planning;

public sealed class ReserveTests
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    private readonly Reserve _reserve = new(DirectorPolicy.Default);
    private TimeSpan _now;

    [Fact]
    public void A_new_Director_expects_the_policys_surge_and_forgets_it()
    {
        // The load grows by 0.2 a minute in 3 min, the boot time, and two periods of 20 s.
        Assert.Equal(0.2 * (3 + (40 / 60.0)), Next(10), 0.01);
        Assert.Equal(0.37, Run(TimeSpan.FromHours(3), _ => 10), 0.01);
        Assert.InRange(Run(TimeSpan.FromHours(15), _ => 10), 0, 0.02);
    }

    [Fact]
    public void A_growth_that_the_load_has_shown_is_expected_again_up_to_the_highest_load()
    {
        Run(TimeSpan.FromHours(24), _ => 10);
        Run(TimeSpan.FromHours(1), _ => 20);
        // At the highest load, hardly any growth is expected.
        Assert.InRange(Next(20), 0, 0.01);
        Run(TimeSpan.FromMinutes(30), _ => 10);
        Assert.InRange(Next(10), 0.5, 1);
        Assert.InRange(Run(TimeSpan.FromHours(24), _ => 10), 0, 0.01);
    }

    [Fact]
    public void The_return_of_a_load_that_was_there_within_the_dwell_time_is_no_growth()
    {
        Run(TimeSpan.FromHours(24), _ => 10);
        Run(TimeSpan.FromMinutes(5), _ => 1);
        Run(TimeSpan.FromMinutes(30), _ => 10);
        Assert.InRange(Next(10), 0, 0.01);
        Assert.Equal(10, _reserve.Recent);
    }

    [Fact]
    public void Noise_is_no_growth()
    {
        var random = new Random(1);
        Run(TimeSpan.FromHours(24), _ => 10);
        Assert.InRange(Run(TimeSpan.FromHours(5), _ => 10 * (0.95 + (0.1 * random.NextDouble()))), 0, 0.1);
    }

    [Fact]
    public void The_papers_policy_expects_no_growth()
    {
        var reserve = new Reserve(DirectorPolicy.Paper());
        Assert.Equal(0, reserve.Growth(Period, 1));
        Assert.Equal(0, reserve.Growth(TimeSpan.FromHours(1), 100));
        reserve.Want(0);
        Assert.Equal(2, reserve.Servers);
    }

    private double Next(double load) => Run(Period, _ => load);

    private double Run(TimeSpan time, Func<TimeSpan, double> load)
    {
        double growth = 0;
        for (var end = _now + time; _now < end;)
            growth = _reserve.Growth(_now += Period, load(_now));
        return growth;
    }
}
