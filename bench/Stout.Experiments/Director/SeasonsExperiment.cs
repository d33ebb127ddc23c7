using Stout.Director;
using Stout.Director.Loads;
using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Experiments.Experiments;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>
/// Seven similar days of load. Compares the violations and the server units of the forecasting policy with those of the paper's policy and others.
/// </summary>
internal sealed class SeasonsExperiment() : DirectorExperiment("director-seasons", "seven similar days under the forecasting policy")
{
    private const int EnoughMinutes = 20;
    private const double Step = 0.05;

    // The peak needs 12 servers.
    private const int StaticServers = 12;

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("speed"), new Column("seed"), new Column("policy"), new Column("percentile"), new Column("violatedMinutes"), new Column("units"));
        var headlines = new List<Headline>();
        foreach (var isFast in context.Pick<bool[]>([true, false], [true]))
        {
            var (speed, ofPaper, ofReactive, units, servers) = (isFast ? "12 x speed" : "real time", new List<double>(), new List<double>(), new List<double>(), new List<double>());
            foreach (var seed in SeedsOf(context))
            {
                SimulationSettings Days(DirectorPolicy policy) => BeyondScenarios.SimilarDays(TrainedModels.SmallInstance, policy, seed, isFast);
                var paper = Simulate(context, Days(DirectorPolicy.Paper()));
                // Finds the lowest percentile, from 95 on in steps of 0.05, that the paper's policy violates in at least `EnoughMinutes` minutes.
                var percentile = 95.0;
                while (paper.Violations(percentile, OneMinute) < EnoughMinutes && percentile < 99.95)
                    percentile += Step;
                Add("the paper's policy", paper);
                var forecasting = Add("forecasting", Simulate(context, Days(DirectorPolicy.Forecasting)));
                var reactive = Add("the same without the forecast", Simulate(context, Days(DirectorPolicy.Forecasting with { Forecast = ForecastKind.Trend })));
                Add("default", Simulate(context, Days(DirectorPolicy.Default)));
                var fixedServers = Add("static, 100 %", Simulate(context, Under(BaselineKind.Static, Days(DirectorPolicy.Default), StaticServers)));
                ofPaper.Add(100.0 * forecasting.Violations(percentile, OneMinute) / paper.Violations(percentile, OneMinute));
                ofReactive.Add(100.0 * forecasting.Violations(percentile, OneMinute) / Math.Max(1, reactive.Violations(percentile, OneMinute)));
                units.Add((double)forecasting.Units / paper.Units);
                servers.Add(100.0 * forecasting.Units / fixedServers.Units);

                SimulationResult Add(string name, SimulationResult run)
                {
                    table.Add(isFast ? "12 x" : "real time", seed, name, percentile, run.Violations(percentile, OneMinute), run.Units);
                    return run;
                }
            }

            headlines.Add(Headline.Of($"{speed}: violated minutes in shares of the paper's policy's (goal: at most 50)", "%", Estimate.Of(ofPaper)));
            headlines.Add(Headline.Of($"{speed}: units in shares of the paper's policy's (goal: at most 1.05)", "", Estimate.Of(units)));
            headlines.Add(Headline.Of($"{speed}: violated minutes in shares of the same policy's without the forecast (P-Store: 28)", "%", Estimate.Of(ofReactive)));
            headlines.Add(Headline.Of($"{speed}: units in shares of a static allocation of {StaticServers} servers (P-Store: 50)", "%", Estimate.Of(servers)));
        }

        return new ExperimentResult { Table = table, Headlines = headlines };
    }
}
