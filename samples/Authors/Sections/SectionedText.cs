using Authors.Editing;

namespace Authors.Sections;

/// <summary>
/// A text as the author's editor keeps it: cut into sections of about 1 KiB, each with a name under which the service keeps it. An edit changes the
/// sections that it touches. A section that grows too long is split, and an empty one is removed. Lengths and positions are in UTF-16 units. No
/// surrogate pair is ever cut in two.
/// </summary>
internal sealed class SectionedText
{
    /// <summary>The approximate length of a section after a split.</summary>
    public const int UsualLength = 1024;

    /// <summary>The largest length of a section. Longer sections are split.</summary>
    public const int MaxLength = UsualLength * 3 / 2;

    /// <summary>The largest length of a name. When a split makes a longer one, all sections get new names. This takes some 190 splits at one place.</summary>
    public const int MaxNameLength = 32;

    private readonly List<Section> _sections = [];
    private readonly HashSet<Section> _touched = [];

    public SectionedText(string startContent)
    {
        Insert(0, 0, startContent);
    }

    /// <summary>The sections in the document's order, which is the ordinal order of their names.</summary>
    public IReadOnlyList<Section> Sections => _sections;

    public int Length => _sections.Sum(section => section.Text.Length);

    public override string ToString() => string.Concat(_sections.Select(section => section.Text));

    /// <summary>Makes one edit. Until <see cref="TakeChanges"/>, sections may be empty or too long, or divide a surrogate pair.</summary>
    /// <exception cref="AuthorsException">The text is shorter than the patch assumes.</exception>
    public void Apply(Patch patch)
    {
        if (patch.Position < 0 || patch.Deleted < 0 || patch.Position > Length - patch.Deleted)
            throw new AuthorsException($"A patch at {patch.Position} deletes {patch.Deleted} of a text of {Length}: the history does not fit its start content.");
        var (index, offset) = Find(patch.Position);
        Delete(index, offset, patch.Deleted);
        Insert(index, offset, patch.Inserted);
    }

    /// <summary>Splits long sections, removes empty ones, and returns the changes of all sections since the last call, for the service.</summary>
    public IReadOnlyList<SectionChange> TakeChanges()
    {
        foreach (var section in _touched.ToList())
            Settle(section);

        // A renaming of all sections may take a name from one section and give it to another. Such a name gets a new text, and is not deleted.
        var changes = new Dictionary<string, string?>();
        foreach (var gone in _touched.Where(section => section.IsGone && section.Stored is not null))
            changes[gone.Name] = null;
        foreach (var changed in _touched.Where(section => !section.IsGone && section.Stored != section.Text))
            changes[changed.Name] = changed.Stored = changed.Text;
        _touched.Clear();
        return [.. changes.Select(change => new SectionChange(change.Key, change.Value))];
    }

    /// <summary>The section of a position. A position between two sections belongs to the left one, where an author goes on typing.</summary>
    private (int Index, int Offset) Find(int position)
    {
        for (var index = 0; index < _sections.Count; index++)
        {
            if (position <= _sections[index].Text.Length)
                return (index, position);
            position -= _sections[index].Text.Length;
        }

        return (0, 0);
    }

    private void Delete(int index, int offset, int count)
    {
        for (; count > 0; index++, offset = 0)
        {
            var section = _sections[index];
            var here = Math.Min(count, section.Text.Length - offset);
            Write(section, section.Text.Remove(offset, here));
            count -= here;
        }
    }

    private void Insert(int index, int offset, string text)
    {
        if (text.Length == 0)
            return;
        if (_sections.Count == 0)
            _sections.Add(new Section(SectionName.Between(null, null)));
        Write(_sections[index], _sections[index].Text.Insert(offset, text));
    }

    private void Write(Section section, string text)
    {
        section.Text = text;
        _touched.Add(section);
    }

    private void Settle(Section section)
    {
        var index = _sections.IndexOf(section);
        if (index < 0)
            return;
        if (index + 1 < _sections.Count && section.Text.Length > 0 && char.IsHighSurrogate(section.Text[^1]) && StartsWithLowSurrogate(index + 1))
            MovePairHalf(section, _sections[index + 1]);
        if (index > 0 && StartsWithLowSurrogate(index) && _sections[index - 1].Text is [.., var last] && char.IsHighSurrogate(last))
            MovePairHalf(_sections[index - 1], section);

        if (section.Text.Length == 0)
        {
            section.IsGone = true;
            _sections.RemoveAt(index);
        }
        else if (section.Text.Length > MaxLength)
        {
            Split(index);
        }
    }

    private bool StartsWithLowSurrogate(int index) => _sections[index].Text is [var first, ..] && char.IsLowSurrogate(first);

    /// <summary>
    /// Moves the second half of a surrogate pair from the right section to the left one. Two edits can divide a pair between sections. The first edit
    /// deletes one half, and the second edit inserts a new half on the other side of the border.
    /// </summary>
    private void MovePairHalf(Section left, Section right)
    {
        Write(left, left.Text + right.Text[0]);
        Write(right, right.Text[1..]);
        if (right.Text.Length == 0)
            Settle(right);
    }

    private void Split(int index)
    {
        var section = _sections[index];
        var text = section.Text;
        var pieces = Math.Max(2, (text.Length + (UsualLength / 2)) / UsualLength);
        var next = index + 1 < _sections.Count ? _sections[index + 1].Name : null;
        var end = Border(text, text.Length / pieces);
        Write(section, text[..end]);
        for (var piece = 1; piece < pieces; piece++)
        {
            var start = end;
            end = piece + 1 == pieces ? text.Length : Border(text, (int)((long)text.Length * (piece + 1) / pieces));
            var added = new Section(SectionName.Between(_sections[index].Name, next));
            _sections.Insert(++index, added);
            Write(added, text[start..end]);
        }

        if (_sections[index].Name.Length > MaxNameLength)
            RenameAll();
    }

    private static int Border(string text, int at) => char.IsLowSurrogate(text[at]) && char.IsHighSurrogate(text[at - 1]) ? at - 1 : at;

    private void RenameAll()
    {
        var texts = _sections.ConvertAll(section => section.Text);
        foreach (var section in _sections)
        {
            section.IsGone = true;
            _touched.Add(section);
        }

        _sections.Clear();
        foreach (var (name, text) in SectionName.Spread(texts.Count).Zip(texts))
        {
            var section = new Section(name);
            _sections.Add(section);
            Write(section, text);
        }
    }
}
