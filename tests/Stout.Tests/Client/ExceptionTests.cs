using System.Reflection;

namespace Stout.Tests.Client;

/// <summary>Tests of applications construct the library's errors.</summary>
public sealed class ExceptionTests
{
    public static TheoryData<Type> Errors =>
        [.. typeof(StoutException).Assembly.GetExportedTypes().Where(static type => type.IsSubclassOf(typeof(Exception)) && !type.IsAbstract)];

    [Theory]
    [MemberData(nameof(Errors))]
    public void Every_error_has_a_public_constructor(Type error) => Assert.NotEmpty(error.GetConstructors(BindingFlags.Public | BindingFlags.Instance));

    [Fact]
    public void An_error_that_a_test_has_made_tells_what_the_librarys_tells()
    {
        var (key, cause) = (new PartitionKey("a"), new IOException());

        var refused = new NotAppliedException(key, NotAppliedReason.StoreRefused, cause);

        Assert.Equal((key, NotAppliedReason.StoreRefused, cause), (refused.Key, refused.Reason, refused.InnerException));
        Assert.Equal(NotAppliedReason.Conflict, new ConflictException(key).Reason);
        Assert.Equal(NotAppliedReason.Fenced, new FencedException(key).Reason);
        Assert.Equal("The change was not applied: its bytes are 5, and the store allows 4.", new ChangeTooLargeException(key, 5, 4, ChangeLimit.ChangeSetBytes).Message);
        Assert.Equal(TimeSpan.FromSeconds(1), new OverloadException(TimeSpan.FromSeconds(1)).RetryAfter);
        Assert.Equal(InvalidKeyReason.Empty, new InvalidKeyException(InvalidKeyReason.Empty, 0, 0).Reason);
    }
}
