using Stout.Director.Models;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>All answers in one situation.</summary>
internal sealed record AnswerSet(Situation Situation, ServerKind Kind, Outcome? Measured, IReadOnlyList<Answer> Answers)
{
    // The best model runs with this many seeds, the others with one.
    private const int Seeds = 3;

    /// <summary>Simulates all rules in each situation. Runs are spread over the processors; each gives the same result wherever it runs.</summary>
    public static IReadOnlyList<AnswerSet> Make(
        ServiceHistory history, IReadOnlyList<ServerKind> kinds, IReadOnlyList<Situation> situations, long binBytes, int seed, IProgress<double> progress, CancellationToken cancellationToken)
    {
        var jobs = new List<(int Set, int Rule, Rule Of, ModelFile Model, int Seed)>();
        for (var set = 0; set < situations.Count; set++)
        {
            var models = kinds[situations[set].Type].Models(situations[set].Objective);
            for (var rule = 0; rule < Rule.All.Count; rule++)
            {
                for (var i = 0; i < Seeds; i++)
                    jobs.Add((set, rule, Rule.All[rule], models[0], seed + i));
                jobs.AddRange(models.Skip(1).Select(model => (set, rule, Rule.All[rule], model, seed)));
            }
        }

        var outcomes = new Outcome[jobs.Count];
        var done = 0;
        Parallel.For(0, jobs.Count, new ParallelOptions { CancellationToken = cancellationToken, MaxDegreeOfParallelism = Environment.ProcessorCount }, i =>
        {
            var job = jobs[i];
            var situation = situations[job.Set];
            outcomes[i] = new Runs(history, kinds[situation.Type], binBytes).Run(job.Of, situation, job.Model, job.Seed, cancellationToken);
            progress.Report((double)Interlocked.Increment(ref done) / jobs.Count);
        });

        return [.. situations.Select((situation, set) => new AnswerSet(
            situation,
            kinds[situation.Type],
            situation.Scale == 1 && kinds[situation.Type].Fit is not null ? Tool.Answers.Measured.Of(history, situation.Objective, kinds[situation.Type].PriceOfHour(situation)) : null,
            [.. jobs.Index().Where(job => job.Item.Set == set).GroupBy(job => job.Item.Rule).Select(rule => new Answer(Rule.All[rule.Key], [.. rule.Select(job => outcomes[job.Index])]))]))];
    }
}
