using Linearizability;
using static Replicas.Tests.Checker.Histories;

namespace Replicas.Tests.Checker;

/// <summary>Histories that are known to be good or bad.</summary>
public sealed class KnownHistoryTests
{
    [Fact]
    public void Sequence_is_linearizable() => Assert.Equal(
        Linearizable.Yes, Check(Read(null, 1, 2), Write("x", 3, 4), Read("x", 5, 6), Change("x", "y", "x", 7, 8), Change("x", "z", "y", 9, 10), Exchange("y", null, 11, 12), Read(null, 13, 14)));

    [Fact]
    public void Read_beside_a_write_may_see_either_value()
    {
        Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 4), Read("x", 2, 3)));
        Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 4), Read(null, 2, 3)));
        Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 6), Read(null, 2, 3), Read("x", 4, 5)));
    }

    [Fact]
    public void Operations_that_meet_at_one_moment_overlap() => Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 2), Read(null, 2, 3)));

    [Fact]
    public void Stale_read_is_found() => Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), Write("y", 3, 4), Read("x", 5, 6)));

    [Fact]
    public void Read_that_sees_the_older_of_two_values_after_the_newer_was_read_is_found() =>
        Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), Write("y", 3, 10), Read("y", 4, 5), Read("x", 6, 7)));

    [Fact]
    public void Lost_update_is_found() =>
        Assert.Equal(Linearizable.No, Check(Write("0", 1, 2), Change("0", "1", "0", 3, 6), Change("0", "2", "0", 4, 7)));

    [Fact]
    public void Exchanges_that_saw_the_same_value_are_found() =>
        Assert.Equal(Linearizable.No, Check(Write("0", 1, 2), Exchange("0", "1", 3, 6), Exchange("0", "2", 4, 7)));

    [Fact]
    public void Reply_before_durable_is_found_when_the_write_is_lost() =>
        Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), Exchange("x", "y", 3, 4), Exchange("x", "z", 5, 6)));

    [Fact]
    public void Undone_write_is_found() =>
        Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), OpenWrite("y", 3), Read("y", 4, 5), Read("x", 6, 7)));

    [Fact]
    public void Value_may_be_seen_until_it_expires_by_the_reader_s_clock_and_is_missed_only_from_then_on()
    {
        var write = Write("x", 1, 2) with { ExpiresAt = 50 };
        Assert.Equal(Linearizable.Yes, Check(write, Read("x", 3, 4) with { Least = 40, Greatest = 60 }, Read(null, 5, 6) with { Least = 45, Greatest = 50 }, Read("x", 7, 8) with { Least = 49 }));
        Assert.Equal(Linearizable.No, Check(write, Read("x", 3, 4) with { Least = 50, Greatest = 60 }));
        Assert.Equal(Linearizable.No, Check(write, Read(null, 3, 4) with { Least = 40, Greatest = 49 }));
        Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), Read(null, 3, 4) with { Least = 40, Greatest = 60 }));
    }

    [Fact]
    public void Change_of_an_expired_value_is_a_change_of_none()
    {
        var write = Write("x", 1, 2) with { ExpiresAt = 50 };
        var change = Change(null, "y", null, 3, 4) with { Least = 60, Greatest = 60 };
        Assert.Equal(Linearizable.Yes, Check(write, change, Read("y", 5, 6) with { Least = 60, Greatest = 60 }));
        Assert.Equal(Linearizable.No, Check(write, change, Read("x", 5, 6)));
        Assert.Equal(Linearizable.No, Check(write, change with { Greatest = 49, Least = 49 }));
        Assert.Equal(Linearizable.Yes, Check(write, OpenChange(null, "y", 3) with { Greatest = 60 }, Read("y", 5, 6)));
        Assert.Equal(Linearizable.No, Check(write, OpenChange(null, "y", 3) with { Greatest = 49 }, Read("y", 5, 6)));
    }

    [Fact]
    public void Open_write_that_no_answer_tells_may_expire()
    {
        var open = OpenWrite("y", 3) with { ExpiresAt = 50 };
        Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 2), open, Read(null, 5, 6) with { Least = 60, Greatest = 60 }));
        Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), open, Read(null, 5, 6) with { Least = 40, Greatest = 40 }));
    }

    [Fact]
    public void Value_that_was_never_written_is_found() => Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), Read("y", 3, 4)));

    [Fact]
    public void Value_that_is_read_before_its_write_began_is_found() => Assert.Equal(Linearizable.No, Check(Read("x", 1, 2), OpenWrite("x", 3)));

    [Fact]
    public void Write_that_took_effect_twice_is_found() =>
        Assert.Equal(Linearizable.No, Check(OpenWrite("x", 1), Read("x", 2, 3), Write("y", 4, 5), Read("y", 6, 7), Read("x", 8, 9)));

    [Fact]
    public void Open_write_may_take_effect_late_or_never()
    {
        Assert.Equal(Linearizable.Yes, Check(OpenWrite("x", 1), Write("y", 2, 3), Read("y", 4, 5)));
        Assert.Equal(Linearizable.Yes, Check(OpenWrite("x", 1), Write("y", 2, 3), Read("y", 4, 5), Read("x", 6, 7)));
        Assert.Equal(Linearizable.Yes, Check(OpenWrite("x", 1), Write("y", 2, 3), Exchange("x", "z", 4, 5)));
    }

    [Fact]
    public void Open_change_takes_effect_on_its_expected_value_alone()
    {
        Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 2), OpenChange("x", "y", 3), Read("x", 4, 5), Read("y", 6, 7)));
        Assert.Equal(Linearizable.No, Check(Write("x", 1, 2), OpenChange("z", "y", 3), Read("y", 4, 5)));
    }

    [Fact]
    public void Open_operations_may_rest_on_one_another() => Assert.Equal(
        Linearizable.Yes, Check(OpenWrite("x", 1), OpenChange("x", "y", 2), OpenChange("y", "z", 3), Read("z", 4, 5)));

    [Fact]
    public void Open_deletion_may_take_effect() => Assert.Equal(Linearizable.Yes, Check(Write("x", 1, 2), OpenWrite(null, 3), Read("x", 4, 5), Read(null, 6, 7)));

    [Fact]
    public void Registers_are_judged_apart()
    {
        Operation[] history = [Write("x", 1, 2), Read("x", 3, 4), Write("x", 1, 2) with { Key = "b" }, Read(null, 3, 4) with { Key = "b" }];
        Assert.Equal([Linearizable.Yes, Linearizable.No], LinearizabilityChecker.Check(history).Select(verdict => verdict.Result));
    }

    [Fact]
    public void Explanation_names_the_operations_that_fit_nowhere()
    {
        var verdict = LinearizabilityChecker.Check([Write("x", 1, 2), Write("y", 3, 4), Read("x", 5, 6)]).Single();
        Assert.Contains("2 operations have an order, which leaves \"y\"", verdict.Explanation, StringComparison.Ordinal);
        Assert.Contains("read, saw \"x\"", verdict.Explanation, StringComparison.Ordinal);
    }

    [Fact]
    public void Search_ends_at_its_bound()
    {
        // The writes may come in any order, and the read fits no write. So the search would try every set of earlier writes with every last value.
        var history = Enumerable.Range(0, 40).Select(i => Write($"{i}", 1, 10)).Append(Read("none", 11, 12)).ToArray();
        Assert.Equal(Linearizable.Unknown, LinearizabilityChecker.Check(history, maxSteps: 10_000).Single().Result);
    }
}
