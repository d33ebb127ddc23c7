using System.Text;

namespace Stout.Experiments.Output;

/// <summary>A page with the paper's figures, ours, and the ratio.</summary>
internal static class Markdown
{
    // More rows than a person reads: the CSV has them.
    private const int MostRows = 100;

    public static string Of(Document document)
    {
        var (experiment, settings, result) = document;
        var text = new StringBuilder();
        text.Append($"# {experiment.Name}: {experiment.Title}\n\n");
        text.Append($"Store: {settings.Store} ({settings.Model.Description}). Law: {settings.Law.Name}, ");
        text.Append($"one per {settings.ScopeOf(experiment).ToString().ToLowerInvariant()}. Seed: {settings.Seed}.\n\n");
        if (result.Headlines.Count > 0)
        {
            AddRow(text, ["", "unit", "paper", "ours", "ours/paper"]);
            AddRow(text, ["---", "---", "---:", "---:", "---:"]);
            foreach (var headline in result.Headlines)
                AddRow(text, [headline.Name, headline.Unit, Cell(headline.Paper), headline.Ours is null ? "never" : Cell(headline.Ours), Cell(headline.Ratio)]);
            text.Append('\n');
        }

        foreach (var note in result.Notes)
            text.Append($"{note}\n\n");
        if (result.Table.Rows.Count <= MostRows)
            AddTable(text, result.Table);
        else
            text.Append($"The measurements are in [{experiment.Name}.csv]({experiment.Name}.csv).\n");
        return text.ToString();
    }

    private static void AddTable(StringBuilder text, Table table)
    {
        AddRow(text, table.Columns.Select(column => column.Unit.Length == 0 ? column.Name : $"{column.Name} ({column.Unit})"));
        AddRow(text, table.Columns.Select((_, i) => table.Rows.All(row => row[i] is not string) ? "---:" : "---"));
        foreach (var row in table.Rows)
            AddRow(text, row.Select(Table.Text));
    }

    private static void AddRow(StringBuilder text, IEnumerable<string> cells) =>
        text.Append("| ").AppendJoin(" | ", cells).Append(" |\n");

    private static string Cell(double? value) => value is null ? "–" : Table.Text(value);
}
