using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>Properties for any sequence of answers, however odd: clocks that step back, zero and negative times and sizes, and times of decades.</summary>
public sealed class PaperLawPropertyTests
{
    private static readonly Gen<PaperLawParameters> Parameters =
        from ewma in Gen.Choose(1, 1000)
        from threshold in Gen.Choose(0, 100)
        from minRequests in Gen.Choose(1, 12)
        from fraction in Gen.Choose(0, 20)
        from alpha in Gen.Choose(0, 1000)
        from maxAlpha in Gen.Choose(0, 100)
        from beta in Gen.Choose(0, 100)
        from least in Gen.Choose(1, 100)
        from initial in Gen.Choose(0, 100)
        from most in Gen.Choose(0, 1000)
        select new PaperLawParameters
        {
            EwmaFactor = ewma / 1000.0,
            Threshold = threshold / 100.0,
            MinRequests = minRequests,
            MinLatencyFraction = fraction / 10.0,
            AlphaPerMillisecond = alpha / 1000.0,
            MaxAlpha = maxAlpha / 10.0,
            Beta = beta / 100.0,
            MinInterval = TimeSpan.FromMilliseconds(least),
            InitialInterval = TimeSpan.FromMilliseconds(least + initial),
            MaxInterval = TimeSpan.FromMilliseconds(least + initial + most),
        };

    [Fact]
    public void The_interval_stays_within_its_bounds_and_the_law_deterministic()
        => Check((parameters, requests) =>
        {
            var law = new PaperLaw(parameters);
            var twin = new PaperLaw(parameters);
            return requests.All(request =>
            {
                law.RequestAnswered(request);
                twin.RequestAnswered(request);
                return law.Interval >= parameters.MinInterval
                    && law.Interval <= parameters.MaxInterval
                    && law.Interval == twin.Interval;
            });
        });

    [Fact]
    public void No_decision_falls_on_less_than_the_least_number_of_requests()
        => Check((parameters, requests) =>
        {
            var law = new PaperLaw(parameters);
            var sinceDecision = 0;
            return requests.All(request =>
            {
                var before = law.Interval;
                law.RequestAnswered(request);
                if (request.Outcome != StoreRequestOutcome.Unreachable)
                    sinceDecision++;
                if (law.Interval == before)
                    return true;
                var enough = sinceDecision >= parameters.MinRequests;
                sinceDecision = 0;
                return enough;
            });
        });

    [Fact]
    public void One_decision_lengthens_by_at_most_the_largest_step_and_shortens_by_at_most_beta()
        => Check((parameters, requests) =>
        {
            var law = new PaperLaw(parameters);
            return requests.All(request =>
            {
                var before = law.Interval.TotalMilliseconds;
                law.RequestAnswered(request);
                var ratio = law.Interval.TotalMilliseconds / before;
                return ratio <= 1 + parameters.MaxAlpha + 0.001 && ratio >= 1 - parameters.Beta - 0.001;
            });
        });

    [Fact]
    public void It_still_adapts_after_any_history()
        => Check((_, requests) =>
        {
            var law = new PaperLaw(new());
            foreach (var request in requests)
                law.RequestAnswered(request);

            // A quiet, steady store from here on: in the end every decision accelerates. An average forgets the largest size
            // there is, 9 x 10^18 bytes, after some 600 decisions.
            for (var i = 1; i <= 15_000; i++)
                law.RequestAnswered(LawDriver.Request(100, latency: 1, interval: 1, answeredAt: 1e13 + (1000.0 * i)));
            return law.Interval < TimeSpan.FromMilliseconds(1.1);
        }, cases: 100);

    private static void Check(Func<PaperLawParameters, StoreRequest[], bool> holds, int cases = 1000)
        => Prop.ForAll(Parameters.ToArbitrary(), OddRequests.Generator.ArrayOf().ToArbitrary(), (p, r) => holds(p, r)).Check(Config.QuickThrowOnFailure.WithMaxTest(cases));
}
