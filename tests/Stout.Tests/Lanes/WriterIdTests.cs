using Stout.Storage;

namespace Stout.Tests.Lanes;

public sealed class WriterIdTests
{
    [Fact]
    public void No_two_lanes_have_the_same_writer_id() => Assert.Equal(100, Enumerable.Range(0, 100).Select(_ => WriterId.New()).Distinct().Count());
}
