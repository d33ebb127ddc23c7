using System.Text;
using Authors.Editing;

namespace Authors.Making;

/// <summary>
/// Writes a document as people do: mostly at its end, a key at a time, with typing errors that are corrected a few keys later. Now and then it goes back
/// to replace a word, to delete or move a sentence, or to replace a word everywhere. The same seed makes the same history.
/// </summary>
internal sealed class Typist
{
    private const double SlipShare = 0.04;
    private const int LongestParagraph = 1200;

    /// <summary>The least length, in UTF-16 units, of a word that is replaced everywhere. Shorter words, such as "of", are too frequent.</summary>
    private const int ShortestToReplace = 4;

    private static readonly DateTimeOffset Begin = new(2024, 3, 4, 9, 0, 0, TimeSpan.Zero);

    private readonly Random _random;
    private readonly int _keystrokes;
    private readonly Manuscript _manuscript = new(Begin);

    private Typist(int seed, int keystrokes)
    {
        _random = new Random(seed);
        _keystrokes = keystrokes;
    }

    private bool IsDone => _manuscript.Count >= _keystrokes;

    /// <summary>Writes a history of exactly <paramref name="keystrokes"/> keystrokes.</summary>
    public static EditingHistory Write(string name, int seed, int keystrokes)
    {
        var typist = new Typist(seed, keystrokes);
        while (!typist.IsDone)
            typist.DoSomething();
        return typist._manuscript.ToHistory(name);
    }

    private void DoSomething()
    {
        Pause(seconds: 2);
        var choice = _manuscript.Length < 400 ? 0 : _random.Next(100);
        if (choice < 55)
            Type(_manuscript.Length, Vocabulary.Sentence(_random) + (LastParagraphLength() > LongestParagraph ? "\n\n" : " "));
        else if (choice < 60)
            Type(SentenceStart(), Vocabulary.Sentence(_random) + " ");
        else if (choice < 92)
            ReplaceWord();
        else if (choice < 95)
            DeleteSentence();
        else if (choice < 97)
            MoveSentence();
        else if (choice < 99)
            ReplaceEverywhere();
        else
            Pause(seconds: 1800); // a long break, such as a meeting or a night
    }

    /// <summary>Types a text a character at a time. After a wrong key the author types up to three more keys, and then deletes all of these.</summary>
    private void Type(int position, string text)
    {
        var runes = text.EnumerateRunes().ToList();
        for (var i = 0; i < runes.Count && !IsDone; i++)
        {
            if (Rune.IsLetter(runes[i]) && _random.NextDouble() < SlipShare)
                Slip(position, runes, i);
            Press(position, 0, runes[i].ToString());
            position += runes[i].Utf16SequenceLength;
        }
    }

    /// <summary>Types a wrong key, up to three right ones after it, and backspaces over all of them.</summary>
    private void Slip(int position, List<Rune> runes, int at)
    {
        var typed = new Stack<string>();
        typed.Push(((char)('a' + _random.Next(26))).ToString());
        foreach (var rune in runes.Skip(at + 1).Take(_random.Next(4)))
            typed.Push(rune.ToString());
        foreach (var key in typed.Reverse())
        {
            Press(position, 0, key);
            position += key.Length;
        }

        Pause(seconds: 0.4);
        while (typed.TryPop(out var key))
        {
            position -= key.Length;
            Press(position, key.Length, "");
        }
    }

    private void ReplaceWord()
    {
        var (start, length) = RandomWord();
        if (_random.Next(2) == 0)
        {
            Press(start, length, ""); // The author selects the word and deletes it with one key.
        }
        else
        {
            for (var end = start + length; end > start;)
            {
                var units = char.IsLowSurrogate(_manuscript[end - 1]) ? 2 : 1;
                end -= units;
                Press(end, units, "");
            }
        }

        Type(start, Vocabulary.Word(_random));
    }

    private void DeleteSentence()
    {
        var start = SentenceStart();
        Press(start, SentenceLength(start), "");
    }

    private void MoveSentence()
    {
        var start = SentenceStart();
        var sentence = _manuscript.Slice(start, SentenceLength(start));
        Press(start, sentence.Length, "");
        Pause(seconds: 3);
        Press(SentenceStart(), 0, sentence);
    }

    private void ReplaceEverywhere()
    {
        var (start, length) = RandomWord();
        for (var draw = 0; length < ShortestToReplace && draw < 20; draw++)
            (start, length) = RandomWord();
        if (length < ShortestToReplace || IsDone)
            return;
        var (old, other) = (_manuscript.Slice(start, length), Vocabulary.Word(_random));
        var patches = new List<Patch>();
        var shift = 0;
        var text = _manuscript.Slice(0, _manuscript.Length);
        for (var at = text.IndexOf(old, StringComparison.Ordinal); at >= 0; at = text.IndexOf(old, at + old.Length, StringComparison.Ordinal))
        {
            patches.Add(new Patch(at + shift, old.Length, other));
            shift += other.Length - old.Length;
        }

        _manuscript.Replace(patches);
    }

    /// <summary>Presses one key, unless the history is long enough already.</summary>
    private void Press(int position, int deleted, string inserted)
    {
        if (IsDone)
            return;
        _manuscript.Wait(TimeSpan.FromMilliseconds(70 + Exponential(90)));
        _manuscript.Replace(position, deleted, inserted);
    }

    private void Pause(double seconds) => _manuscript.Wait(TimeSpan.FromMilliseconds(Exponential(seconds * 1000)));

    /// <summary>A draw of the exponential distribution, in whole milliseconds, the resolution of histories.</summary>
    private int Exponential(double mean) => (int)(-mean * Math.Log(1 - _random.NextDouble()));

    private int LastParagraphLength()
    {
        var length = 0;
        while (length < _manuscript.Length && _manuscript[_manuscript.Length - 1 - length] != '\n')
            length++;
        return length;
    }

    /// <summary>A random word of the text; words near the end are more likely than words near the beginning.</summary>
    private (int Start, int Length) RandomWord()
    {
        var start = WordStart((int)(_manuscript.Length * Math.Sqrt(_random.NextDouble())));
        var end = start;
        while (end < _manuscript.Length && !IsSpace(_manuscript[end]))
            end++;
        return (start, end - start);
    }

    private int WordStart(int position)
    {
        position = Math.Min(position, _manuscript.Length - 1);
        while (position > 0 && !IsSpace(_manuscript[position - 1]))
            position--;
        return position;
    }

    private int SentenceStart()
    {
        var position = WordStart(_random.Next(_manuscript.Length));
        while (position > 1 && !(IsSpace(_manuscript[position - 1]) && _manuscript[position - 2] is '.' or '\n'))
            position--;
        return position > 1 ? position : 0;
    }

    private int SentenceLength(int start)
    {
        var end = start;
        while (end < _manuscript.Length && _manuscript[end] != '.')
            end++;
        return Math.Min(end + 2, _manuscript.Length) - start;
    }

    private static bool IsSpace(char unit) => unit is ' ' or '\n';
}
