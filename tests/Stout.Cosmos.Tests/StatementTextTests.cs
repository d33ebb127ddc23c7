using Stout.Tests.Shared;

namespace Stout.Cosmos.Tests;

/// <summary>The texts of all statements.</summary>
public sealed class StatementTextTests
{
    [Fact]
    public void Every_text_is_ASCII() => StatementTexts.AssertAscii(typeof(CosmosStorage).Assembly);
}
