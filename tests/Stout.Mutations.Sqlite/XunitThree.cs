using System.Diagnostics.CodeAnalysis;

namespace Stout;

/// <summary>What the tests use of xUnit 3's class of this name.</summary>
internal sealed class TestContext
{
    public static TestContext Current { get; } = new();

    public CancellationToken CancellationToken { get; }

    public ITestOutputHelper? TestOutputHelper { get; }
}

/// <summary>What the tests use of xUnit 3's assertions.</summary>
internal static class AssertThree
{
    extension(Assert)
    {
        /// <summary>Skips the test: xUnit 2 knows such an exception by its message.</summary>
        [DoesNotReturn]
        public static void Skip(string reason) => throw new NotSupportedException("$XunitDynamicSkip$" + reason);

        public static void SkipUnless([DoesNotReturnIf(false)] bool condition, string reason)
        {
            if (!condition)
                Skip(reason);
        }

        public static void SkipWhen([DoesNotReturnIf(true)] bool condition, string reason)
        {
            if (condition)
                Skip(reason);
        }
    }
}
