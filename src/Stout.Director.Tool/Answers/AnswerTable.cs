using System.Globalization;
using Stout.Director.Tool.Pages;

namespace Stout.Director.Tool.Answers;

/// <summary>The figures of answers as the cells of a table.</summary>
internal static class AnswerTable
{
    public static IReadOnlyList<string> Columns { get; } = ["servers decided by", "servers", "most", "server hours", "cost", "attained", "violated min", "extrapolated"];

    public static IReadOnlyList<string> Cells(Answer answer) =>
    [
        answer.Rule.Words,
        answer.Of(one => one.Servers).Words(Short),
        answer.Of(one => one.Most).Words(Short),
        answer.Of(one => one.ServerHours).Words(Short),
        answer.Of(one => one.Cost).Words(Fine),
        answer.Of(one => one.Attained).Words(FitWords.Percentile),
        answer.Of(one => one.ViolatedMinutes).Words(Short),
        answer.Of(one => one.Extrapolated).Words(share => share.ToString("0 %", CultureInfo.InvariantCulture)),
    ];

    /// <summary>The cells of what was measured.</summary>
    public static IReadOnlyList<string> Cells(Outcome measured) =>
    [
        "as recorded", Short(measured.Servers), Short(measured.Most), Short(measured.ServerHours), Fine(measured.Cost), FitWords.Percentile(measured.Attained), Short(measured.ViolatedMinutes), "",
    ];

    public static string Short(double value) => value.ToString("#,0.#", CultureInfo.InvariantCulture);

    public static string Fine(double value) => value.ToString("#,0.###", CultureInfo.InvariantCulture);
}
