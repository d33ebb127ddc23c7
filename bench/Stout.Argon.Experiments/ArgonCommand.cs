using System.CommandLine;
using Stout.Argon.Experiments.Disks;
using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Profiles;
using Stout.Argon.Experiments.Traces;
using Stout.Experiments.Output.Plots;

namespace Stout.Argon.Experiments;

/// <summary>The program without a command: the evaluation of performance insulation, with the figures and sweeps of the Argon paper.</summary>
internal static class ArgonCommand
{
    private const string Ceiling = "ceiling";
    private const string Parallel = "parallel";
    private const string Mixed = "mechanisms";
    private const string Profile = "profiles-plot";

    private static readonly Argument<string[]> Names = new("figure")
    {
        Description = $"Some of {string.Join(", ", Known)}; by default all",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private static readonly Option<FileInfo?> Page = new("--page")
    {
        Description = "Write the page of the evaluation, and its pictures into the folder of its name beside it",
        HelpName = "PAGE",
    };

    private static IEnumerable<string> Known => PaperFigures.All.Select(figure => figure.Name).Concat(PaperSweeps.All.Select(sweep => sweep.Name)).Append(Parallel).Append(Ceiling).Append(Mixed).Append(Profile);

    public static RootCommand Create()
    {
        var command = new RootCommand("The evaluation of performance insulation, on device models in virtual time.") { Names, Page };
        command.Add(MixesCommand.Create());
        command.Add(RecordCommand.Create());
        command.Add(CostCommand.Create());
        command.Add(DiskCommand.Create());
        command.Add(ProfilesCommand.Create());
        command.Add(WriterCommand.Create());
        Names.AcceptOnlyFromAmong([.. Known]);
        command.SetAction((arguments, cancellationToken) => RunAsync(arguments.GetValue(Names) ?? [], arguments.GetValue(Page), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(string[] names, FileInfo? file, CancellationToken cancellationToken)
    {
        var page = new EvaluationPage();
        foreach (var figure in PaperFigures.All.Where(figure => Asked(figure.Name)))
            page.Add(figure);
        if (Asked(Parallel))
            page.Add(ParallelFigures.All);
        foreach (var sweep in PaperSweeps.All.Where(sweep => Asked(sweep.Name)))
            page.Add(sweep);
        if (Asked(Mixed))
            page.AddMechanisms(PaperFigures.OltpAndQuery);
        if (Asked(Profile))
            page.AddProfiles();
        if (Asked(Ceiling))
            page.AddCeilings();
        if (file is null)
            return 0;
        await File.WriteAllTextAsync(file.FullName, page.Text.TrimEnd('\n') + "\n", cancellationToken);
        var pictures = Directory.CreateDirectory(Path.ChangeExtension(file.FullName, null));
        foreach (var (name, panel) in page.Pictures)
            await File.WriteAllTextAsync(Path.Combine(pictures.FullName, name + ".svg"), PanelPlot.Svg(panel), cancellationToken);
        return 0;

        bool Asked(string name) => names.Length == 0 || names.Contains(name);
    }
}
