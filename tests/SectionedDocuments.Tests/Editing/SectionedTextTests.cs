using System.Text;
using Authors;
using Authors.Editing;
using Authors.Sections;

namespace SectionedDocuments.Tests.Editing;

public sealed class SectionedTextTests
{
    [Fact]
    public void An_edit_changes_only_the_sections_that_it_touches()
    {
        var text = new SectionedText(new string('x', 10 * SectionedText.UsualLength));
        Assert.Equal(10, text.TakeChanges().Count);
        text.Apply(new Patch(5_000, 1, "y"));
        var change = Assert.Single(text.TakeChanges());
        Assert.Equal(text.Sections[4].Name, change.Name);
        Assert.Empty(text.TakeChanges());
    }

    [Fact]
    public void A_section_that_grows_is_split_and_an_empty_one_vanishes()
    {
        var text = new SectionedText("");
        for (var i = 0; i < 20 * SectionedText.UsualLength; i++)
        {
            text.Apply(new Patch(i, 0, "x"));
            text.TakeChanges();
        }

        Assert.All(text.Sections, section => Assert.InRange(section.Text.Length, 1, SectionedText.MaxLength));
        Assert.InRange(text.Sections.Count, 14, 30);
        text.Apply(new Patch(0, text.Length, ""));
        Assert.All(text.TakeChanges(), change => Assert.Null(change.Text));
        Assert.Empty(text.Sections);
    }

    [Fact]
    public void A_surrogate_pair_is_never_cut()
    {
        var text = new SectionedText("x" + string.Concat(Enumerable.Repeat("🐟", 10_000)));
        Assert.All(text.TakeChanges(), change => _ = new UTF8Encoding(false, throwOnInvalidBytes: true).GetBytes(change.Text!));
    }

    [Fact]
    public void Half_a_pair_exchanged_at_a_border_stays_with_the_other_half()
    {
        // Neighboring fish begin with the same UTF-16 unit. So an editor may replace that half of a pair alone, at the border of two sections.
        var text = new SectionedText(string.Concat(Enumerable.Repeat("🐟", 2_000)));
        text.TakeChanges();
        var border = text.Sections[0].Text.Length;
        text.Apply(new Patch(border, 1, ""));
        text.Apply(new Patch(border, 0, "🐟"[..1]));
        Assert.All(text.TakeChanges(), change => _ = new UTF8Encoding(false, throwOnInvalidBytes: true).GetBytes(change.Text!));
        Assert.Equal(string.Concat(Enumerable.Repeat("🐟", 2_000)), text.ToString());
    }

    [Fact]
    public void Names_stay_short_however_often_one_place_is_split()
    {
        var service = new Dictionary<string, string>();
        var text = new SectionedText("the end");
        for (var i = 0; i < 3_000; i++)
        {
            text.Apply(new Patch(0, 0, new string((char)('a' + (i % 26)), SectionedText.UsualLength / 2)));
            Tell(service, text);
        }

        Assert.All(service.Keys, name => Assert.InRange(name.Length, 1, SectionedText.MaxNameLength));
        Assert.Equal(text.ToString(), Read(service));
    }

    [Fact]
    public void Random_edits_leave_the_service_with_the_text_of_a_plain_string()
    {
        for (var seed = 1; seed <= 20; seed++)
        {
            var random = new Random(seed);
            var plain = string.Concat(Enumerable.Repeat("start ", random.Next(1_000)));
            var text = new SectionedText(plain);
            var service = new Dictionary<string, string>();
            for (var i = 0; i < 400; i++)
            {
                for (var patches = random.Next(1, 5); patches > 0; patches--)
                {
                    var position = random.Next(plain.Length + 1);
                    var deleted = random.Next(Math.Min(plain.Length - position, random.Next(10) == 0 ? 20_000 : 20) + 1);
                    var inserted = new string((char)('a' + random.Next(26)), random.Next(10) == 0 ? random.Next(8_000) : random.Next(5));
                    plain = plain.Remove(position, deleted).Insert(position, inserted);
                    text.Apply(new Patch(position, deleted, inserted));
                }

                Tell(service, text);
                Assert.Equal(plain, Read(service));
            }
        }
    }

    [Theory]
    [InlineData(4, 0)]
    [InlineData(2, 2)]
    [InlineData(-1, 0)]
    [InlineData(0, -1)]
    [InlineData(1, int.MaxValue)]
    public void A_patch_beyond_the_text_is_an_error(int position, int deleted)
    {
        var text = new SectionedText("abc");
        Assert.Throws<AuthorsException>(() => text.Apply(new Patch(position, deleted, "x")));
        Assert.Equal("abc", text.ToString());
    }

    [Fact]
    public void Our_own_histories_lead_to_their_end() => HistoriesLeadToTheirEnd(Histories.OfOurOwn);

    [Fact]
    public void Real_histories_lead_to_their_end()
    {
        Assert.SkipWhen(Histories.Real is null, Histories.WhyNotReal);
        HistoriesLeadToTheirEnd(Histories.Real!);
    }

    private static void HistoriesLeadToTheirEnd(DirectoryInfo folder)
    {
        foreach (var history in HistoryFile.ReadFolder(folder))
        {
            var text = new SectionedText(history.StartContent);
            var service = new Dictionary<string, string>();
            Tell(service, text);
            foreach (var keystroke in history.Keystrokes)
            {
                foreach (var patch in keystroke.Patches)
                    text.Apply(patch);
                Tell(service, text);
            }

            Assert.Equal(history.EndContent, Read(service));
            Assert.All(service.Values, section => Assert.InRange(section.Length, 1, SectionedText.MaxLength));
        }
    }

    private static void Tell(Dictionary<string, string> service, SectionedText text)
    {
        foreach (var (name, section) in text.TakeChanges())
        {
            if (section is null)
                Assert.True(service.Remove(name));
            else
                service[name] = section;
        }
    }

    private static string Read(Dictionary<string, string> service) =>
        string.Concat(service.OrderBy(section => section.Key, StringComparer.Ordinal).Select(section => section.Value));
}
