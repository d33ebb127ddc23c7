using System.CommandLine;
using Stout.Experiments.Argon.Disks;
using Stout.Experiments.Argon.Figures;
using Stout.Experiments.Argon.Profiles;
using Stout.Experiments.Argon.Traces;

namespace Stout.Experiments.Argon;

/// <summary>The second paper's evaluation: <c>-- argon</c>.</summary>
internal static class ArgonCommand
{
    private const string Ceiling = "ceiling";
    private const string Mixed = "mechanisms";

    private static readonly Argument<string[]> Names = new("figure")
    {
        Description = $"Some of {string.Join(", ", Known)}; by default all",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private static readonly Option<FileInfo?> Page = new("--page")
    {
        Description = "Write the page of the evaluation",
        HelpName = "PAGE",
    };

    private static IEnumerable<string> Known => PaperFigures.All.Select(figure => figure.Name).Concat(PaperSweeps.All.Select(sweep => sweep.Name)).Append(Ceiling).Append(Mixed);

    public static Command Create()
    {
        var command = new Command("argon", "The evaluation of performance insulation, on device models in virtual time.") { Names, Page };
        command.Add(MixesCommand.Create());
        command.Add(RecordCommand.Create());
        command.Add(CostCommand.Create());
        command.Add(DiskCommand.Create());
        command.Add(ProfilesCommand.Create());
        Names.AcceptOnlyFromAmong([.. Known]);
        command.SetAction((arguments, cancellationToken) => RunAsync(arguments.GetValue(Names) ?? [], arguments.GetValue(Page), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(string[] names, FileInfo? file, CancellationToken cancellationToken)
    {
        var page = new EvaluationPage();
        foreach (var figure in PaperFigures.All.Where(figure => Asked(figure.Name)))
            page.Add(figure);
        foreach (var sweep in PaperSweeps.All.Where(sweep => Asked(sweep.Name)))
            page.Add(sweep);
        if (Asked(Mixed))
            page.AddMechanisms(PaperFigures.OltpAndQuery);
        if (Asked(Ceiling))
            page.AddCeilings();
        if (file is not null)
            await File.WriteAllTextAsync(file.FullName, page.Text.TrimEnd('\n') + "\n", cancellationToken);
        return 0;

        bool Asked(string name) => names.Length == 0 || names.Contains(name);
    }
}
