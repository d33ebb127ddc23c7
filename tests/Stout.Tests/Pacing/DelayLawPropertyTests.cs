using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>Properties of the default law for any sequence of answers, however odd.</summary>
public sealed class DelayLawPropertyTests
{
    private const double Minute = 60_000;

    private static readonly Gen<DelayLawParameters> Parameters =
        from most in Gen.Choose(1, 5000)
        from initial in Gen.Choose(0, 1000)
        from inFlight in Gen.Choose(1, 32)
        select new DelayLawParameters
        {
            MaxInterval = TimeSpan.FromMilliseconds(most),
            InitialInterval = initial < 100 ? null : TimeSpan.FromMilliseconds(initial),
            MaxInFlight = inFlight,
        };

    [Fact]
    public void Interval_and_requests_in_flight_stay_within_their_bounds_and_the_law_deterministic()
        => Check((parameters, requests) =>
        {
            var law = new DelayLaw(parameters);
            var twin = new DelayLaw(parameters);
            return requests.All(request =>
            {
                Take(law, request);
                Take(twin, request);
                return IsWithinBounds(law, parameters) && (law.Interval, law.MaxInFlight) == (twin.Interval, twin.MaxInFlight);
            });
        });

    // Odd answers seldom lead through all phases, since half of them are losses, after which the law begins anew. So these answers come from a model store.
    [Fact]
    public void They_stay_so_for_hours_on_a_store_that_slows_down_refuses_and_fails_now_and_then()
        => Prop.ForAll(Parameters.ToArbitrary(), Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), (parameters, seed) =>
        {
            var law = new DelayLaw(parameters);
            var store = new UnsteadyStore(seed);
            return Enumerable.Range(0, 5_000).All(_ =>
            {
                Take(law, store.Answer(law));
                return IsWithinBounds(law, parameters);
            });
        }).Check(Config.QuickThrowOnFailure);

    [Fact]
    public void A_law_stays_as_it_began_until_a_write_is_answered()
        => Check((parameters, requests) =>
        {
            parameters.InitialInterval = null; // an unreachable store resets the law to a start without an initial interval
            var law = new DelayLaw(parameters);
            var before = (law.Interval, law.MaxInFlight);
            foreach (var request in requests)
            {
                law.BatchSent(new BatchDeparture(request.SentAt, request.Interval, request.ApplicationLimited, request.Operations));
                law.RequestAnswered(request with { Outcome = StoreRequestOutcome.Unreachable });
                law.RequestAnswered(request with { Kind = StoreRequestKind.Read, Outcome = StoreRequestOutcome.Answered });
            }

            return (law.Interval, law.MaxInFlight) == before;
        });

    [Fact]
    public void After_a_lost_answer_a_law_does_what_a_new_one_does()
        => Check((parameters, requests) =>
        {
            parameters.InitialInterval = null;
            var (law, anew) = (new DelayLaw(parameters), new DelayLaw(parameters));
            foreach (var request in requests.Where(request => request.Outcome != StoreRequestOutcome.Overloaded))
                law.RequestAnswered(request);
            law.RequestAnswered(LawDriver.Request(100, latency: 1, interval: 10, answeredAt: 2e12, outcome: StoreRequestOutcome.Unknown));

            return Enumerable.Range(1, 300).All(i =>
            {
                var request = LawDriver.Request(100, latency: 1 + (i * 7 % 5) + (i > 200 ? 10 : 0), interval: 3, answeredAt: 2e12 + (10.0 * i));
                law.RequestAnswered(request);
                anew.RequestAnswered(request);
                return (law.Interval, law.MaxInFlight, law.MaxBatchKeys, law.Phase) == (anew.Interval, anew.MaxInFlight, anew.MaxBatchKeys, anew.Phase);
            });
        });

    [Fact]
    public void It_still_adapts_after_any_history()
        => Check((parameters, requests) =>
        {
            var law = new DelayLaw(parameters);
            foreach (var request in requests)
                law.RequestAnswered(request);

            // A quiet store from here on, for longer than a base latency is remembered.
            for (var i = 0; i < 12_000; i++)
                law.RequestAnswered(LawDriver.Request(100, latency: 1, interval: 1_000, answeredAt: 2e12 + (1_000.0 * i)));
            return law.Interval.TotalMilliseconds <= 2.0 / parameters.MaxInFlight;
        }, cases: 50);

    private static void Take(DelayLaw law, in StoreRequest request)
    {
        law.BatchSent(new BatchDeparture(request.SentAt, request.Interval, request.ApplicationLimited, request.Operations));
        law.RequestAnswered(request);
    }

    private static bool IsWithinBounds(DelayLaw law, DelayLawParameters parameters)
        => law.Interval.TotalMilliseconds is var interval
            && interval >= 0
            && interval <= Math.Max(parameters.MaxInterval.TotalMilliseconds, Minute)
            && (law.Phase == PacingPhase.Refused || interval <= parameters.MaxInterval.TotalMilliseconds)
            && law.MaxBatchKeys >= 1
            && law.MaxInFlight >= 1
            && law.MaxInFlight <= parameters.MaxInFlight;

    private static void Check(Func<DelayLawParameters, StoreRequest[], bool> holds, int cases = 500)
        => Prop.ForAll(Parameters.ToArbitrary(), OddRequests.Generator.ArrayOf().ToArbitrary(), (p, r) => holds(p, r))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(cases));
}
