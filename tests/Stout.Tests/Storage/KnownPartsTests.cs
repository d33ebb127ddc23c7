using FsCheck;
using FsCheck.Fluent;
using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class KnownPartsTests
{
    [Fact]
    public void Are_what_a_set_of_names_would_be()
    {
        var writes = ArbMap.Default.GeneratorFor<(byte Name, bool IsDeleted)[][]>();
        Prop.ForAll(writes.ToArbitrary(), Matches).QuickCheckThrowOnFailure();

        static bool Matches((byte Name, bool IsDeleted)[][] batches)
        {
            var model = new HashSet<string>();
            var parts = KnownParts.None;
            foreach (var batch in batches)
            {
                PartWrite[] written = [.. batch.Select(write => new PartWrite(Name(write.Name), write.IsDeleted, default))];
                parts = parts?.After(written);
                foreach (var (name, isDeleted) in batch)
                    _ = isDeleted ? model.Remove(Name(name).Text) : model.Add(Name(name).Text);
                model.Remove("");
                if (parts is not null && !model.SetEquals(parts.SubKeys.Select(part => part.Text)))
                    return false;
            }

            return parts is null ? batches.Sum(batch => batch.Length) > KnownParts.MaxCount : parts.SubKeys.Count <= KnownParts.MaxCount;
        }

        static SubKey Name(byte number) => number == 0 ? SubKey.Root : new SubKey($"{number}");
    }

    [Theory]
    [InlineData(40, true)]
    [InlineData(41, false)]
    public void Of_an_object_with_many_none_are_known(int count, bool areKnown)
    {
        var parts = Enumerable.Range(0, count).Select(i => new StoredPart(new SubKey($"{i}"), default)).Prepend(new StoredPart(SubKey.Root, default));

        var known = KnownParts.Of([.. parts]);

        Assert.Equal(areKnown, known is not null);
        Assert.Equal(areKnown ? count : 0, known?.SubKeys.Count ?? 0);
    }

    [Fact]
    public void Change_of_values_alone_makes_no_new_object()
    {
        var known = KnownParts.None.After([new PartWrite(new SubKey("a"), false, default)])!;

        Assert.Same(known, known.After([new PartWrite(new SubKey("a"), false, new byte[1]), new PartWrite(SubKey.Root, false, default)]));
    }
}
