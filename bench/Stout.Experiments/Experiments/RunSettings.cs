using Stout.Experiments.Experiments.Goals;
using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>The command line's settings.</summary>
internal sealed record RunSettings
{
    private const string TheModel = "model";

    private static readonly string OwnHistories = Path.Combine(AppContext.BaseDirectory, "histories");

    public string Store { get; init; } = TheModel;

    public bool OnModel => Store == TheModel;

    /// <summary>The settings for real stores.</summary>
    public LiveSettings Live { get; init; } = new();

    /// <summary>The number of seeds on the model, one for each round.</summary>
    public int Seeds { get; init; } = 1;

    /// <summary>The number of rounds of an experiment that repeats its scenarios.</summary>
    public int Rounds => OnModel ? Seeds : Live.Rounds;

    public StoreKind Model { get; init; } = StoreKinds.One;

    public PacingChoice Law { get; init; } = LawCatalogue.Default;

    /// <summary>The scope of one law; null: the law's own scope, or else the experiment's.</summary>
    public LawScope? Scope { get; init; }

    public int Seed { get; init; } = 1;

    /// <summary>The settings of the random draws of <c>goals</c>; null for its fixed goals.</summary>
    public RandomSettings? Random { get; init; }

    /// <summary>The settings of the one run of <c>point</c>.</summary>
    public PointSettings Point { get; init; } = new(12_000, 32, 60);

    /// <summary>Editing histories for <c>editing</c>. Default: the two small ones of the sample.</summary>
    public DirectoryInfo Histories { get; init; } = new(OwnHistories);

    /// <summary>Whether other histories than the default were named.</summary>
    public bool HasOtherHistories => Histories.FullName != OwnHistories;

    public Effort Effort { get; init; } = Effort.Full;

    /// <summary>The scope of the chosen law in an experiment.</summary>
    public LawScope ScopeOf(IExperiment experiment) => ScopeOf(Law, experiment);

    // A real lane always has a law of its own.
    public LawScope ScopeOf(PacingChoice law, IExperiment experiment) => OnModel ? Scope ?? law.Scope ?? experiment.Scope : LawScope.Lane;
}

/// <summary>The rate in requests/s, the number of middle tiers, and the length of the run of <c>point</c>.</summary>
internal sealed record PointSettings(double Rate, int Tiers, double Seconds);
