using System.IO.Compression;
using System.Text;

namespace Stout.Director.Tool.Importing;

/// <summary>Reads a CSV file row by row, plain or gzipped, in bounded memory.</summary>
internal sealed class CsvTable(FileInfo file)
{
    private const int MostLine = 1 << 16;

    /// <summary>The columns of the first line.</summary>
    /// <exception cref="ImportException">The file is empty, or names a column twice.</exception>
    public IReadOnlyList<string> Columns()
    {
        using var reader = Open();
        var columns = Cells(Line(reader, 1) ?? throw new ImportException(Place(1), "the file is empty."), 1);
        var twice = columns.GroupBy(column => column).FirstOrDefault(group => group.Count() > 1);
        return twice is null ? columns : throw new ImportException(Place(1), $"the column \"{twice.Key}\" is there twice.");
    }

    /// <summary>The rows after the first line, with the numbers of their lines. Empty lines are left out.</summary>
    /// <exception cref="ImportException">A row has another number of cells than the first line.</exception>
    public IEnumerable<(int Line, string[] Cells)> Rows()
    {
        var length = Columns().Count;
        using var reader = Open();
        Line(reader, 1);
        for (var number = 2; Line(reader, number) is { } line; number++)
        {
            if (string.IsNullOrWhiteSpace(line))
                continue;
            var cells = Cells(line, number);
            yield return cells.Length == length ? (number, cells) : throw new ImportException(Place(number), $"{cells.Length} cells; the first line has {length}.");
        }
    }

    public string Place(int line) => FormattableString.Invariant($"{file.Name}, line {line}");

    private StreamReader Open()
    {
        var stream = file.OpenRead();
        return new StreamReader(file.Name.EndsWith(".gz", StringComparison.OrdinalIgnoreCase) ? new GZipStream(stream, CompressionMode.Decompress) : stream, Encoding.UTF8);
    }

    private string? Line(StreamReader reader, int number)
    {
        var line = new StringBuilder();
        try
        {
            while (true)
            {
                var next = reader.Read();
                if (next < 0)
                    return line.Length > 0 ? line.ToString() : null;
                if (next == '\n')
                    return line.ToString().TrimEnd('\r');
                if (line.Append((char)next).Length > MostLine)
                    throw new ImportException(Place(number), $"a line of more than {MostLine >> 10} KB.");
            }
        }
        catch (InvalidDataException error)
        {
            throw new ImportException(Place(number), "not a whole gzip file: " + error.Message, error);
        }
    }

    // Cells may be quoted, with doubled quotes inside.
    private string[] Cells(string line, int number)
    {
        if (!line.Contains('"', StringComparison.Ordinal))
            return [.. line.Split(',').Select(cell => cell.Trim())];
        var (cells, cell, isQuoted) = (new List<string>(), new StringBuilder(), false);
        for (var i = 0; i < line.Length; i++)
        {
            if (line[i] == '"' && isQuoted && i + 1 < line.Length && line[i + 1] == '"')
                cell.Append(line[++i]);
            else if (line[i] == '"')
                isQuoted = !isQuoted;
            else if (line[i] == ',' && !isQuoted)
                Next();
            else
                cell.Append(line[i]);
        }

        Next();
        return isQuoted ? throw new ImportException(Place(number), "a quote is not closed.") : [.. cells];

        void Next()
        {
            cells.Add(cell.ToString().Trim());
            cell.Clear();
        }
    }
}
