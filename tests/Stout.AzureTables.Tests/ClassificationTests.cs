using Stout.Storage;

namespace Stout.AzureTables.Tests;

/// <summary>The scope, the text and the certainty of the errors that the store makes of the service's answers and of the client's exceptions.</summary>
public sealed class ClassificationTests
{
    [Theory]
    [InlineData(401, null, StoreErrorScope.Partition)]
    [InlineData(403, "AuthorizationPermissionMismatch", StoreErrorScope.Partition)]
    [InlineData(404, "TableNotFound", StoreErrorScope.Partition)]
    [InlineData(400, "InvalidInput", StoreErrorScope.Request)]
    [InlineData(413, "RequestBodyTooLarge", StoreErrorScope.Request)]
    public void Refusal_of_credentials_affects_every_key_and_that_of_a_request_its_keys_alone(int status, string? code, StoreErrorScope scope) =>
        Assert.Equal(scope, AzureTablesErrors.Classify(status, code).Scope);

    [Fact]
    public void Code_of_an_answer_is_in_the_message_only_if_it_is_a_word()
    {
        Assert.Contains("(400 InvalidInput)", AzureTablesErrors.Classify(400, "InvalidInput").Message, StringComparison.Ordinal);
        Assert.Contains("(400)", AzureTablesErrors.Classify(400, "The key 's3cr3t' is not valid.").Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Attempts_of_which_one_may_have_been_sent_are_unknown_whatever_the_credential_did_at_the_others()
    {
        var noToken = new StoreException(StoreErrorKind.Refused, "The credential gives no token.");

        Assert.Equal(StoreErrorKind.Refused, AzureTablesErrors.Classify(new AggregateException(noToken, noToken)).Kind);
        Assert.Equal(StoreErrorKind.Unknown, AzureTablesErrors.Classify(new AggregateException(noToken, new IOException("reset"))).Kind);
    }
}
