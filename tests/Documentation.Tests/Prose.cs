using System.Text;
using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>The prose of pages and comments: their sentences, without code, identifiers and quotations.</summary>
internal static partial class Prose
{
    /// <summary>
    /// The sentences of a page, with the line on which each block of text begins. Items of lists and cells of tables are blocks of their own.
    /// </summary>
    public static IEnumerable<(int Line, string Sentence)> OfPage(string page)
    {
        var blocks = new List<(int Line, StringBuilder Text)>();
        var (isCode, isOpen) = (false, false);
        var lines = Remark().Replace(page, static remark => new string('\n', remark.Value.Count(static letter => letter == '\n'))).Split('\n');
        for (var i = 0; i < lines.Length; i++)
        {
            var line = lines[i].Trim();
            if (line.StartsWith("```", StringComparison.Ordinal))
                isCode = !isCode;
            else if (!isCode && line.StartsWith('|'))
                blocks.AddRange(Cell().Split(line).Select(cell => (i + 1, new StringBuilder(cell))));
            else if (!isCode && line.Length > 0 && !line.StartsWith('#'))
            {
                if (!isOpen || Item().IsMatch(line))
                    blocks.Add((i + 1, new StringBuilder()));
                blocks[^1].Text.Append(Item().Replace(line, "")).Append(' ');
                isOpen = true;
                continue;
            }

            isOpen = false;
        }

        return blocks.SelectMany(static block => SentencesOf(block.Text.ToString()).Select(sentence => (block.Line, sentence)));
    }

    /// <summary>The sentences of the comments of a C# file, with the line on which each comment begins.</summary>
    public static IEnumerable<(int Line, string Sentence)> OfComments(string source)
    {
        var (start, text) = (0, new StringBuilder());
        var lines = source.Split('\n');
        for (var i = 0; i <= lines.Length; i++)
        {
            var comment = i < lines.Length ? Comment().Match(lines[i]) : Match.Empty;
            // A comment ends before another kind of comment, before code, and before a comment behind code.
            if (text.Length > 0 && (!comment.Success || comment.Groups["code"].Length > 0 || Opening().IsMatch(comment.Groups["text"].Value)))
            {
                foreach (var sentence in SentencesOf(Tag().Replace(CodeTag().Replace(text.ToString(), " Code "), " ")))
                    yield return (start, sentence);
                text.Clear();
            }

            if (!comment.Success)
                continue;
            start = text.Length == 0 ? i + 1 : start;
            text.Append(comment.Groups["text"].Value.Trim()).Append(' ');
        }
    }

    /// <summary>The number of words of a sentence. Code counts as one.</summary>
    public static int CountWords(string sentence) => sentence.Split(' ', StringSplitOptions.RemoveEmptyEntries).Count(static word => word.Any(char.IsLetterOrDigit));

    private static IEnumerable<string> SentencesOf(string text)
    {
        text = Link().Replace(Image().Replace(text, ""), "${text}");
        text = Code().Replace(text, "Code");
        return End().Split(text).Select(static sentence => sentence.Trim()).Where(static sentence => sentence.Length > 0);
    }

    [GeneratedRegex("<!--.*?-->", RegexOptions.Singleline)]
    private static partial Regex Remark();

    [GeneratedRegex(@"(?<!\\)\|")]
    private static partial Regex Cell();

    [GeneratedRegex(@"^([-*]|\d+\.) +")]
    private static partial Regex Item();

    // A comment begins the line, or follows code and a space; an address in a string has no space before it.
    [GeneratedRegex(@"^(?<code>\s*\S.*\s)?\s*///?(?<text>[^/].*)?$")]
    private static partial Regex Comment();

    [GeneratedRegex("^ *<(summary|remarks|param|typeparam|returns|exception|content|para|item)")]
    private static partial Regex Opening();

    [GeneratedRegex("<c>.*?</c>|<(see|paramref|typeparamref|inheritdoc)\\b[^>]*/>")]
    private static partial Regex CodeTag();

    [GeneratedRegex("</?[a-z][^>]*>")]
    private static partial Regex Tag();

    [GeneratedRegex(@"!\[(?:[^\[\]]|\[[^\]]*\])*\]\([^)]*\)")]
    private static partial Regex Image();

    [GeneratedRegex(@"\[(?<text>(?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)")]
    private static partial Regex Link();

    [GeneratedRegex("`[^`]*`|\"[^\"]*\"|“[^”]*”")]
    private static partial Regex Code();

    [GeneratedRegex(@"(?<=[.!?][)*_]*)\s+(?=[(*_]*[\p{Lu}\d…])")]
    private static partial Regex End();
}
