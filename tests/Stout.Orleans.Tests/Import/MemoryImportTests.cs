using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;

namespace Stout.Orleans.Tests.Import;

/// <summary>Imports from Orleans' own storage in memory, with each of its serializers.</summary>
public sealed class MemoryImportTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task States_of_Orleans_storage_come_over_and_are_fenced(bool systemTextJson)
    {
        await using var cluster = await TestCluster.StartAsync(1, silo =>
        {
            if (systemTextJson)
                silo.UseSystemTextJsonGrainStorageSerializer();
            silo.AddMemoryGrainStorage("former");
            silo.AddStoutGrainStorage("states", static stout => stout.UseInMemory(), static (StoutGrainStorageOptions options) => options.ImportFrom = "former");
        });
        var (former, states) = (cluster.StorageOf("former"), cluster.StorageOf("states"));
        foreach (var grain in new[]
        {
            GrainId.Create("player", "one"),
            GrainId.Create(GrainType.Create("player"), GrainIdKeyExtensions.CreateIntegerKey(-17, "ext")),
            GrainId.Create(GrainType.Create("player"), GrainIdKeyExtensions.CreateGuidKey(Guid.NewGuid(), "ext/ension")),
        })
        {
            var inMemory = new GrainState<TestState>(new TestState { Text = "before", Large = long.MaxValue });
            await former.WriteStateAsync("state", grain, inMemory);
            var state = new GrainState<TestState>(new TestState());
            await states.ReadStateAsync("state", grain, state);
            Assert.Equal((inMemory.State, true), (state.State, state.RecordExists));
            await Assert.ThrowsAsync<InconsistentStateException>(() => former.WriteStateAsync("state", grain, inMemory));
            await Assert.ThrowsAnyAsync<Exception>(() => former.ReadStateAsync("state", grain, new GrainState<TestState>(new TestState())));
            await states.WriteStateAsync("state", grain, state);
        }
    }
}
