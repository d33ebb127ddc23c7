using System.Globalization;

namespace Stout.Director.Experiments.RandomLoads;

/// <summary>
/// The comparators' figures of earlier runs, in a file with a line for each. They are most of the work and do not depend on the measured policy. The file is
/// invalid once the simulator or the drawn loads change.
/// </summary>
internal sealed class KnownComparatorRuns
{
    private const char Separator = ';';

    private readonly FileInfo? _file;
    private readonly Dictionary<(int Seed, int Load, string Controller), ControllerRun> _known = [];
    private readonly Lock _lock = new();

    public KnownComparatorRuns(FileInfo? file)
    {
        _file = file;
        if (file is not { Exists: true })
            return;
        foreach (var parts in File.ReadLines(file.FullName).Select(line => line.Split(Separator)))
            _known[(Number(parts[0]), Number(parts[1]), parts[2])] = new ControllerRun(parts[2], double.Parse(parts[3], CultureInfo.InvariantCulture), Number(parts[4]), Number(parts[5]));
    }

    public ControllerRun Get(int seed, int load, string controller, Func<ControllerRun> run)
    {
        lock (_lock)
        {
            if (_known.TryGetValue((seed, load, controller), out var known))
                return known;
        }

        var found = run();
        lock (_lock)
        {
            _known[(seed, load, controller)] = found;
            if (_file is not null)
                File.AppendAllText(_file.FullName, string.Create(CultureInfo.InvariantCulture, $"{seed};{load};{controller};{found.Cost:R};{found.ViolatedMinutes};{found.Actions}\n"));
        }

        return found;
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
