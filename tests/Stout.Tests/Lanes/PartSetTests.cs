using Stout.Lanes.Core;
using Stout.Paper;

namespace Stout.Tests.Lanes;

/// <summary>The memory of a set of parts. <see cref="ModelTests"/> tests its contents.</summary>
public sealed class PartSetTests
{
    [Fact]
    public void An_object_without_parts_takes_none()
    {
        Assert.Equal(0, Allocation.Least(10, () =>
        {
            var set = new PartSet();
            set.Set(SubKey.Root, MarkedPart.Dirty);
            set.Clear();
        }));
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void It_is_used_again_unless_there_were_too_many(int parts, bool isKept)
    {
        var subKeys = Enumerable.Range(0, parts).Select(i => new SubKey($"part {i}")).ToArray();
        var allocated = Allocation.Least(10, () =>
        {
            var set = new PartSet();
            MarkAll(ref set);
            set.Clear();
            MarkAll(ref set);
        });
        var first = Allocation.Least(10, () =>
        {
            var set = new PartSet();
            MarkAll(ref set);
        });

        Assert.Equal(isKept ? first : 2 * first, allocated);

        void MarkAll(ref PartSet set)
        {
            foreach (var subKey in subKeys)
                set.Set(subKey, MarkedPart.Dirty);
        }
    }
}
