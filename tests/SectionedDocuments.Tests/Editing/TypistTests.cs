using Authors.Editing;
using Authors.Making;
using Authors.Sections;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Editing;

public sealed class TypistTests : IDisposable
{
    private const int Keystrokes = 20_000;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void The_edits_of_a_made_history_lead_to_its_end_one_after_the_other(int seed)
    {
        var history = Typist.Write("made", seed, Keystrokes);
        Assert.Equal(Keystrokes, history.Keystrokes.Count);
        var text = new SectionedText(history.StartContent);
        foreach (var keystroke in history.Keystrokes)
        {
            foreach (var patch in keystroke.Patches)
                text.Apply(patch);
            text.TakeChanges();
        }

        Assert.Equal(history.EndContent, text.ToString());
        Assert.All(history.Keystrokes.Zip(history.Keystrokes.Skip(1)), pair => Assert.True(pair.First.Time <= pair.Second.Time));
    }

    /// <summary>In the five recorded histories 4 to 15 % of the keystrokes delete, and 1 to 15 % are more than 100 units from the one before.</summary>
    [Fact]
    public void A_made_history_has_slips_jumps_and_pauses_as_recorded_ones_do()
    {
        var patches = Typist.Write("made", 1, Keystrokes).Keystrokes.Select(keystroke => keystroke.Patches).ToList();
        Assert.InRange(patches.Count(patch => patch[0].Deleted > 0), Keystrokes * 4 / 100, Keystrokes * 15 / 100);
        var jumps = patches.Zip(patches.Skip(1)).Count(pair => Math.Abs(pair.Second[0].Position - pair.First[0].Position) > 100);
        Assert.InRange(jumps, Keystrokes / 100, Keystrokes * 15 / 100);
        Assert.Contains(patches, patch => patch.Count > 1);
        Assert.Contains(patches, patch => patch[0].Inserted.Length > 10);
    }

    [Fact]
    public async Task The_same_seed_makes_the_same_files_and_another_seed_others()
    {
        await MakeAsync("first", "--seed", "7");
        await MakeAsync("second", "--seed", "7");
        await MakeAsync("third", "--seed", "8");
        var first = ReadAll("first");
        Assert.Equal(2, first.Count);
        Assert.NotEqual(first[0], first[1]);
        Assert.Equal(first, ReadAll("second"));
        Assert.DoesNotContain(ReadAll("third"), first.Contains);

        var read = HistoryFile.ReadFolder(new DirectoryInfo(_folder.File("first")));
        Assert.Equal(["author-1", "author-2"], read.Select(history => history.Name));
        Assert.All(read, history => Assert.Equal(200, history.Keystrokes.Count));
    }

    [Fact]
    public async Task A_made_history_is_written_by_authors_and_matches()
    {
        await MakeAsync("made", "--seed", "3");
        using var service = await RunningService.StartAsync(_folder, "--Stout:Pacing:Law=NoBatching");
        using var authors = RunningProgram.Start(
            _folder.Path, RunningProgram.Dotnet(Programs.Authors, "--url", service.Address.ToString(), "--histories", _folder.File("made")));
        Assert.Equal(0, await authors.ExitAsync());
        await authors.LineAsync("2 of 2 documents match.");
    }

    [Theory]
    [InlineData("--authors", "many")]
    [InlineData("--authors", "0")]
    [InlineData("--keystrokes", "10000001")]
    [InlineData("--seed", "x")]
    public async Task A_number_that_can_not_be_is_told_in_one_line(string option, string value)
    {
        using var make = RunningProgram.Start(
            _folder.Path, RunningProgram.Dotnet(Programs.Authors, "make", "--folder", _folder.File("made"), option, value));
        Assert.Equal(1, await make.ExitAsync());
        Assert.Contains(value, make.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", make.Output, StringComparison.Ordinal);
    }

    private List<string> ReadAll(string folder) =>
        [.. Directory.EnumerateFiles(_folder.File(folder)).Order().Select(file => Convert.ToBase64String(File.ReadAllBytes(file)))];

    private async Task MakeAsync(string folder, params string[] arguments)
    {
        using var make = RunningProgram.Start(_folder.Path, RunningProgram.Dotnet(
            Programs.Authors, ["make", "--folder", _folder.File(folder), "--authors", "2", "--keystrokes", "200", .. arguments]));
        var exitCode = await make.ExitAsync();
        Assert.True(exitCode == 0, make.Output);
    }
}
