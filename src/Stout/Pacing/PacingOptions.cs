namespace Stout.Pacing;

/// <summary>Which pacing law a lane follows, and its parameters.</summary>
public sealed record PacingOptions
{
    /// <summary>The law. Default: <see cref="PacingLawName.Delay"/>.</summary>
    public PacingLawName Law { get; set; } = PacingLawName.Delay;

    /// <summary>Parameters of <see cref="PacingLawName.Delay"/>.</summary>
    public DelayLawParameters Delay { get; set; } = new();

    /// <summary>Parameters of <see cref="PacingLawName.NoBatching"/>.</summary>
    public NoBatchingParameters NoBatching { get; set; } = new();

    /// <summary>Parameters of <see cref="PacingLawName.Window"/>.</summary>
    public WindowParameters Window { get; set; } = new();

    /// <summary>Parameters of <see cref="PacingLawName.FixedInterval"/>.</summary>
    public FixedIntervalParameters FixedInterval { get; set; } = new();

    /// <summary>Parameters of <see cref="PacingLawName.Paper"/>.</summary>
    public PaperLawParameters Paper { get; set; } = new();

    /// <summary>Makes a law of one's own for each lane; takes the place of <see cref="Law"/> where set.</summary>
    public Func<IPacingLaw>? Custom { get; set; }

    /// <summary>Checks the parameters of the chosen law. A <see cref="Custom"/> law is not made just to be checked.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public void Validate()
    {
        if (Custom is null)
            CreateLaw();
    }

    /// <summary>A new law, for one lane.</summary>
    /// <exception cref="InvalidOptionException">A parameter of the chosen law is out of its range, or <see cref="Custom"/> made none.</exception>
    public IPacingLaw CreateLaw()
    {
        if (Custom is not null)
            return Custom() ?? throw new InvalidOptionException(nameof(Custom), null, "it must return a law");
        return Law switch
        {
            PacingLawName.Delay => Make(nameof(Delay), Delay, static parameters => new DelayLaw(parameters)),
            PacingLawName.NoBatching => Make(nameof(NoBatching), NoBatching, static parameters => new NoBatchingLaw(parameters)),
            PacingLawName.Window => Make(nameof(Window), Window, static parameters => new WindowLaw(parameters)),
            PacingLawName.FixedInterval => Make(nameof(FixedInterval), FixedInterval, static parameters => new FixedIntervalLaw(parameters)),
            PacingLawName.Paper => Make(nameof(Paper), Paper, static parameters => new PaperLaw(parameters)),
            _ => throw new InvalidOptionException(nameof(Law), Law, $"it is one of {string.Join(", ", Enum.GetNames<PacingLawName>())}"),
        };
    }

    private static IPacingLaw Make<T>(string option, T? parameters, Func<T, IPacingLaw> law)
        where T : class
    {
        if (parameters is null)
            throw new InvalidOptionException(option, null, "it must be set");
        IPacingLaw? made = null;
        InvalidOptionException.Under(option, () => made = law(parameters));
        return made!;
    }
}

/// <summary>The pacing laws to choose from.</summary>
public enum PacingLawName
{
    /// <summary>The paper's adaptive law (section 3.2).</summary>
    Paper,

    /// <summary>Every change leaves as soon as a request may.</summary>
    NoBatching,

    /// <summary>A batch leaves every so many milliseconds.</summary>
    FixedInterval,

    /// <summary>The interval follows the queueing delay in the store.</summary>
    Delay,

    /// <summary>A bounded number of requests is in flight; a batch leaves as soon as there is a place.</summary>
    Window,
}
