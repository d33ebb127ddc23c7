using System.Globalization;
using System.Text;

namespace Authors.Making;

/// <summary>Words and sentences as in minutes and reports. The words at the front of the list are the frequent ones.</summary>
internal static class Vocabulary
{
    private static readonly string[] Words =
    [
        "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not", "this", "are", "or", "from", "at",
        "which", "but", "have", "an", "had", "they", "were", "their", "one", "all", "we", "can", "has", "been", "if", "more", "when", "will", "would", "so",
        "store", "write", "batch", "request", "reply", "object", "server", "service", "interval", "latency", "key", "change", "section", "reader", "author",
        "figure", "table", "result", "measure", "between", "during", "because", "before", "after", "while", "under", "load", "system", "network", "queue",
        "durable", "memory", "disk", "process", "partition", "number", "second", "average", "percent", "several", "larger", "smaller", "shorter", "longer",
        "therefore", "however", "although", "instead", "together", "already", "always", "seldom", "often", "meeting", "minutes", "agenda", "decision",
        "budget", "proposal", "committee", "version", "draft", "chapter", "paragraph", "sentence", "example", "question", "answer", "reason", "problem",
        "experiment", "evaluation", "workload", "throughput", "congestion", "backoff", "acknowledgement", "collapse", "coalesce", "naïve", "café", "Zürich",
        "Ångström", "résumé", "smörgåsbord", "θάλασσα", "海", "🐟",
    ];

    /// <summary>Draws a word. The n-th word of the list is drawn less often than the words before it.</summary>
    public static string Word(Random random)
    {
        var draw = random.NextDouble();
        return Words[(int)(Words.Length * draw * draw)];
    }

    /// <summary>A sentence of 4 to 21 words, with a capital letter and a full stop.</summary>
    public static string Sentence(Random random)
    {
        var count = random.Next(4, 22);
        var sentence = new StringBuilder();
        for (var i = 0; i < count; i++)
        {
            var word = Word(random);
            sentence.Append(i == 0 ? char.ToUpper(word[0], CultureInfo.InvariantCulture) + word[1..] : word);
            sentence.Append(i == count - 1 ? '.' : random.Next(12) == 0 ? ',' : ' ');
            if (sentence[^1] == ',')
                sentence.Append(' ');
        }

        return sentence.ToString();
    }
}
