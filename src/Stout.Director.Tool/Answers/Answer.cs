namespace Stout.Director.Tool.Answers;

/// <summary>The figures of one rule in one situation, over seeds and models.</summary>
/// <param name="Rule">The rule.</param>
/// <param name="Outcomes">The outcomes: the best model with the first seed first.</param>
internal sealed record Answer(Rule Rule, IReadOnlyList<Outcome> Outcomes)
{
    public Outcome Best => Outcomes[0];

    public Band Of(Func<Outcome, double> figure) => Band.Of([.. Outcomes.Select(figure)]);
}
