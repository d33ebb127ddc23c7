namespace Stout.Director.Decisions;

/// <summary>Findings that are not actions.</summary>
public enum FindingKind
{
    /// <summary>No server has reported: the layout stays unchanged.</summary>
    NoReports,

    /// <summary>A server has not reported for <see cref="DirectorPolicy.SilentAfter"/> periods.</summary>
    SilentServer,

    /// <summary>A bin's load rises far more than its noise and the growth of the other bins explain, so its rise is extrapolated.</summary>
    Surge,

    /// <summary>No layout serves the load of a bin, for example one key with more writes than a server can do.</summary>
    CannotBeHelped,

    /// <summary>A load lies outside the range that the model was trained on; the prediction is an extrapolation.</summary>
    Extrapolation,

    /// <summary>More servers would be needed than one of the operator's budgets allows, such as <see cref="DirectorPolicy.MostServers"/>.</summary>
    Budget,

    /// <summary>A plan stops at a bound such as <see cref="DirectorPolicy.MostLeases"/>; the next plan goes on.</summary>
    Bounded,

    /// <summary>A server holds more bytes than its type has memory.</summary>
    Memory,

    /// <summary>A server's report has an impossible number, such as NaN, and does not count.</summary>
    BadReport,

    /// <summary>The cluster or its pool refuses commands.</summary>
    Refused,

    /// <summary>Reads are slow although the model predicts that every server meets the objective: requests cost more than the model says.</summary>
    ModelMismatch,

    /// <summary>The recorder failed, so that the decisions from then on can't be replayed.</summary>
    NotRecorded,

    /// <summary>A copy ran too long and was canceled.</summary>
    Canceled,

    /// <summary>A bin has no whole replica on any live server.</summary>
    LostBin,
}
