using System.Text.Json;
using Orleans.Storage;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Import;
using Stout.Storage;
using static Stout.Orleans.Tests.Import.ImportCluster;

namespace Stout.Orleans.Tests.Import;

/// <summary>Imports of states from the grain storage that grains used before.</summary>
public sealed class ImportTests(ImportCluster cluster) : IClassFixture<ImportCluster>
{
    public static TheoryData<string> Storages => [Importing, Unfenced];

    [Theory, MemberData(nameof(Storages))]
    public async Task A_record_is_read_with_an_ETag_of_Stout_and_goes_on(string storage)
    {
        var grain = NewGrain();
        await cluster.WriteFormerAsync(grain, 7);
        using var counters = new Counters();
        var state = await cluster.ReadAsync(storage, grain);
        Assert.Equal((7, true), (state.State!.Number, state.RecordExists));
        Assert.True(Stamp.TryParseHex(state.ETag, out _));
        Assert.InRange(counters[StoutOrleansMeter.Imports], 1, long.MaxValue);

        state.State = new TestState { Number = 8 };
        await cluster[storage].WriteStateAsync(Name, grain, state);
        Assert.Equal((8, state.ETag), ((await cluster.ReadAsync(storage, grain)).State!.Number, (await cluster.ReadAsync(storage, grain)).ETag));
        Assert.Equal(8, (await cluster.ReadAsync(WithoutImport, grain)).State!.Number);
    }

    [Fact]
    public async Task After_an_import_a_silo_with_the_former_storage_can_neither_write_nor_read_the_state()
    {
        var grain = NewGrain();
        var inMemory = await cluster.WriteFormerAsync(grain, 7);
        await cluster.ReadAsync(Importing, grain);
        await Assert.ThrowsAsync<InconsistentStateException>(() => cluster.Former.WriteStateAsync(Name, grain, inMemory));
        await Assert.ThrowsAsync<JsonException>(() => cluster.Former.ReadStateAsync(Name, grain, new GrainState<TestState>()));
    }

    [Fact]
    public async Task Without_fences_the_record_stays_as_it_is()
    {
        var grain = NewGrain();
        var inMemory = await cluster.WriteFormerAsync(grain, 7);
        var state = await cluster.ReadAsync(Unfenced, grain);
        await cluster[Unfenced].ClearStateAsync(Name, grain, state);
        await cluster.Former.WriteStateAsync(Name, grain, inMemory);
        Assert.False((await cluster.ReadAsync(Unfenced, grain)).RecordExists);
    }

    [Theory, MemberData(nameof(Storages))]
    public async Task A_state_that_is_deleted_after_its_import_does_not_come_back(string storage)
    {
        var grain = NewGrain();
        await cluster.WriteFormerAsync(grain, 7);
        var state = await cluster.ReadAsync(storage, grain);
        await cluster[storage].ClearStateAsync(Name, grain, state);
        for (var i = 0; i < 2; i++)
            Assert.False((await cluster.ReadAsync(storage, grain)).RecordExists);

        state.State = new TestState { Number = 9 };
        await cluster[storage].WriteStateAsync(Name, grain, state);
        Assert.Equal(9, (await cluster.ReadAsync(storage, grain)).State!.Number);
    }

    [Theory, MemberData(nameof(Storages))]
    public async Task A_state_that_the_former_storage_has_cleared_or_never_had_is_new(string storage)
    {
        var (cleared, never) = (NewGrain(), NewGrain());
        await cluster.Former.ClearStateAsync(Name, cleared, await cluster.WriteFormerAsync(cleared, 7));
        foreach (var grain in new[] { cleared, never })
        {
            var state = await cluster.ReadAsync(storage, grain);
            Assert.Equal((new TestState(), null, false), (state.State, state.ETag, state.RecordExists));
            await cluster[storage].WriteStateAsync(Name, grain, state);
            Assert.True((await cluster.ReadAsync(storage, grain)).RecordExists);
        }
    }

    [Theory, MemberData(nameof(Storages))]
    public async Task A_write_or_clear_that_nothing_was_read_for_is_refused_where_the_former_storage_has_a_record(string storage)
    {
        foreach (var clears in new[] { false, true })
        {
            var grain = NewGrain();
            await cluster.WriteFormerAsync(grain, 7);
            var state = new GrainState<TestState>(new TestState { Number = 8 });
            await Assert.ThrowsAsync<InconsistentStateException>(
                () => clears ? cluster[storage].ClearStateAsync(Name, grain, state) : cluster[storage].WriteStateAsync(Name, grain, state));
            Assert.Equal(7, (await cluster.ReadAsync(storage, grain)).State!.Number);
        }
    }

    /// <summary>A state in Stout is never looked up in the former storage.</summary>
    [Fact]
    public async Task A_record_of_a_state_that_Stout_has_is_not_read()
    {
        var grain = NewGrain();
        await WriteAsync(cluster[WithoutImport], grain, 1);
        await cluster.WriteFormerAsync(grain, 7);
        cluster.Former.BeforeRead[grain] = static () => throw new TimeoutException();
        Assert.Equal(1, (await cluster.ReadAsync(Importing, grain)).State!.Number);
    }

    [Fact]
    public async Task Of_two_silos_that_import_at_once_one_owns_the_state_and_no_value_is_lost()
    {
        await Parallel.ForAsync(0, 200, new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = TestContext.Current.CancellationToken }, async (i, _) =>
        {
            var grain = NewGrain();
            await cluster.WriteFormerAsync(grain, 1_000 + i);
            var reads = await Task.WhenAll(TryReadAsync(Importing), TryReadAsync(Other));
            Assert.All(reads.OfType<GrainState<TestState>>(), state => Assert.Equal((1_000 + i, true), (state.State!.Number, state.RecordExists)));
            var written = 0;
            for (var silo = 0; silo < reads.Length; silo++)
            {
                try
                {
                    if (reads[silo] is { } state)
                    {
                        state.State = new TestState { Number = -silo };
                        await cluster[silo == 0 ? Importing : Other].WriteStateAsync(Name, grain, state);
                        written++;
                    }
                }
                catch (InconsistentStateException)
                {
                    // The other silo owns the state.
                }
            }

            Assert.Equal(1, written);
            Assert.Contains(FormerStorage.Fence, cluster.Former[Name, grain], StringComparison.Ordinal);

            async Task<GrainState<TestState>?> TryReadAsync(string storage)
            {
                await Task.Yield();
                try
                {
                    return await cluster.ReadAsync(storage, grain);
                }
                catch (GrainStateNotReadException)
                {
                    return null;
                }
            }
        });
    }
}
