namespace Stout;

/// <summary>What the tests use of xUnit 3's class of this name.</summary>
internal sealed class TestContext
{
    public static TestContext Current { get; } = new();

    public CancellationToken CancellationToken { get; }
}
