using System.Globalization;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>
/// The laws that earlier runs chose as comparators of the measured law, in a file with a line for each. The search for a comparator is most of the work, and
/// does not depend on the measured law. The file is invalid once the model changes.
/// </summary>
internal sealed class KnownComparators
{
    private const char Separator = ';';

    private readonly FileInfo? _file;
    private readonly Dictionary<(int Seed, int Cell), Comparator> _known = [];
    private readonly Lock _lock = new();

    public KnownComparators(FileInfo? file)
    {
        _file = file;
        if (file is not { Exists: true })
            return;
        foreach (var line in File.ReadLines(file.FullName))
        {
            var parts = line.Split(Separator);
            _known[(Number(parts[0]), Number(parts[1]))] = new Comparator(parts[2], double.Parse(parts[3], CultureInfo.InvariantCulture));
        }
    }

    public Comparator Get(int seed, int cell, Func<Comparator> find)
    {
        lock (_lock)
        {
            if (_known.TryGetValue((seed, cell), out var known))
                return known;
        }

        var found = find();
        lock (_lock)
        {
            _known[(seed, cell)] = found;
            if (_file is not null)
                File.AppendAllText(_file.FullName, string.Create(CultureInfo.InvariantCulture, $"{seed}{Separator}{cell}{Separator}{found.Law}{Separator}{found.MeanMilliseconds:R}\n"));
        }

        return found;
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
