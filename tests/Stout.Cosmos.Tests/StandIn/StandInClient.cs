using Microsoft.Azure.Cosmos;
using Newtonsoft.Json;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>The SDK's client of an account, with stand-ins behind it.</summary>
internal sealed class StandInClient(StandInStore store) : CosmosClient
{
    // The SDK's description of an account has no public constructor; the SDK reads it from JSON.
    public override Task<AccountProperties> ReadAccountAsync()
    {
        var trouble = store.Note(new StandInRequest("account"));
        if (trouble is not null)
            Answers.Of(trouble).EnsureSuccessStatusCode();
        var regions = store.WriteRegions.Select(name => new { name, databaseAccountEndpoint = "https://localhost/" });
        var json = JsonConvert.SerializeObject(new
        {
            id = "account",
            userConsistencyPolicy = new { defaultConsistencyLevel = store.Consistency },
            writableLocations = regions,
            readableLocations = regions,
        });
        return Task.FromResult(JsonConvert.DeserializeObject<AccountProperties>(
            json, new JsonSerializerSettings { ConstructorHandling = ConstructorHandling.AllowNonPublicDefaultConstructor })!);
    }

    public override Container GetContainer(string databaseId, string containerId) => new StandInContainer(store);

    // There is no connection, and the SDK's disposal expects one.
    protected override void Dispose(bool disposing) => base.Dispose(disposing: false);
}
