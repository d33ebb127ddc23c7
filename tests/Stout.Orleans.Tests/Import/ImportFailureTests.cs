using Orleans.Storage;
using Stout.Orleans.Import;
using static Stout.Orleans.Tests.Import.ImportCluster;

namespace Stout.Orleans.Tests.Import;

/// <summary>Imports that end half-way, and former storages that fail or can't be fenced. Nothing is lost.</summary>
public sealed class ImportFailureTests(ImportCluster cluster) : IClassFixture<ImportCluster>
{
    [Fact]
    public async Task A_record_that_cannot_be_read_fails_reads_and_writes_and_stays()
    {
        var grain = NewGrain();
        await cluster.WriteFormerAsync(grain, 7);
        cluster.Former.BeforeRead[grain] = static () => throw new TimeoutException("The server is away.");
        var state = new GrainState<TestState>(new TestState { Number = 8 });
        var error = await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster[Importing].ReadStateAsync(Name, grain, state));
        Assert.Equal(
            $"The state 'counter' of the grain {grain} could not be imported from the grain storage 'former'. The server is away.", error.Message);
        Assert.IsType<TimeoutException>(error.InnerException);
        Assert.Equal((Name, grain), (error.StateName, error.GrainId));
        // A write after the failed read has to read again, so it fails, too.
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster[Importing].WriteStateAsync(Name, grain, state));
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster[Importing].ClearStateAsync(Name, grain, state));

        cluster.Former.BeforeRead.Clear();
        Assert.Equal(7, (await cluster.ReadAsync(Importing, grain)).State!.Number);
    }

    [Theory]
    [InlineData(Importing)]
    [InlineData(Other)]
    public async Task After_a_crash_before_the_fence_the_record_counts_also_if_it_is_written_again(string next)
    {
        var grain = NewGrain();
        var former = await cluster.WriteFormerAsync(grain, 7);
        cluster.Former.BeforeWrite[grain] = static () => throw new IOException("cut");
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync(Importing, grain));
        cluster.Former.BeforeWrite.Clear();

        former.State = new TestState { Number = 8 };
        await cluster.Former.WriteStateAsync(Name, grain, former);
        Assert.Equal(8, (await cluster.ReadAsync(next, grain)).State!.Number);
        await Assert.ThrowsAsync<InconsistentStateException>(() => cluster.Former.WriteStateAsync(Name, grain, former));
    }

    [Theory]
    [InlineData(Importing)]
    [InlineData(Other)]
    public async Task After_a_crash_behind_the_fence_the_copy_counts(string next)
    {
        var grain = NewGrain();
        await cluster.WriteFormerAsync(grain, 7);
        cluster.Former.AfterWrite[grain] = static () => throw new IOException("cut");
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync(Importing, grain));
        cluster.Former.AfterWrite.Clear();
        Assert.Contains(FormerStorage.Fence, cluster.Former[Name, grain], StringComparison.Ordinal);

        Assert.Equal(7, (await cluster.ReadAsync(next, grain)).State!.Number);
        Assert.Equal(7, (await cluster.ReadAsync(WithoutImport, grain)).State!.Number);
    }

    /// <summary>If the former record is removed, or no import is configured any more, the copy of an unfinished import is the state.</summary>
    [Fact]
    public async Task A_copy_that_was_not_finished_counts_where_the_record_is_gone_or_nothing_is_imported_any_more()
    {
        foreach (var next in new[] { Other, WithoutImport })
        {
            var grain = NewGrain();
            var former = await cluster.WriteFormerAsync(grain, 7);
            cluster.Former.BeforeWrite[grain] = static () => throw new IOException("cut");
            await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync(Importing, grain));
            cluster.Former.BeforeWrite.Clear();
            await cluster.Former.ClearStateAsync(Name, grain, former);

            var state = await cluster.ReadAsync(next, grain);
            Assert.Equal((7, true), (state.State!.Number, state.RecordExists));
            state.State = new TestState { Number = 8 };
            await cluster[next].WriteStateAsync(Name, grain, state);
            Assert.Equal(8, (await cluster.ReadAsync(Importing, grain)).State!.Number);
        }
    }

    [Fact]
    public async Task A_record_that_is_written_during_the_import_is_read_again()
    {
        var grain = NewGrain();
        var former = await cluster.WriteFormerAsync(grain, 7);
        WriteBeforeFence(grain, former, times: 2);
        Assert.Equal(9, (await cluster.ReadAsync(Importing, grain)).State!.Number);
    }

    [Fact]
    public async Task An_import_gives_up_where_silos_go_on_writing_the_record()
    {
        var grain = NewGrain();
        var former = await cluster.WriteFormerAsync(grain, 7);
        WriteBeforeFence(grain, former, times: int.MaxValue);
        var error = await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync(Importing, grain));
        Assert.Contains("silos go on writing it", error.Message, StringComparison.Ordinal);
        cluster.Former.BeforeWrite.Clear();
        Assert.Equal(former.State!.Number, (await cluster.ReadAsync(Importing, grain)).State!.Number);
    }

    [Theory]
    [InlineData(Careless, "accepts a write with an old ETag")]
    [InlineData(Lenient, "reads a text as a Stout.Orleans.Tests.TestState")]
    public async Task A_storage_that_cannot_be_fenced_is_refused_and_keeps_its_records(string storage, string told)
    {
        var grain = NewGrain();
        var former = storage == Careless ? cluster.FormerCareless : cluster.FormerLenient;
        await WriteAsync(former, grain, 7);
        for (var i = 0; i < 2; i++)
        {
            var error = await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.ReadAsync(storage, grain));
            Assert.Contains(told, error.Message, StringComparison.Ordinal);
            Assert.Contains("set FenceImported to false", error.Message, StringComparison.Ordinal);
        }

        Assert.Contains("7", former[Name, grain], StringComparison.Ordinal);
        Assert.False((await cluster.ReadAsync(WithoutImport, grain)).RecordExists);
    }

    [Fact]
    public async Task A_record_that_Stout_cannot_store_is_refused_and_stays()
    {
        var grain = NewGrain();
        var large = new GrainState<TestState>(new TestState { Text = new string('x', (16 << 20) + 1) });
        await cluster.Former.WriteStateAsync(Name, grain, large);
        var error = await Assert.ThrowsAsync<GrainStateTooLargeException>(() => cluster.ReadAsync(Importing, grain));
        Assert.True(error.Size > error.Limit);
        await cluster.Former.WriteStateAsync(Name, grain, large);
    }

    /// <summary>Has a silo with the former storage write the record before Stout fences it.</summary>
    private void WriteBeforeFence(GrainId grain, GrainState<TestState> former, int times) => cluster.Former.BeforeWrite[grain] = () =>
    {
        if (times-- <= 0)
            return;
        var hook = cluster.Former.BeforeWrite[grain];
        cluster.Former.BeforeWrite.Remove(grain, out _);
        former.State = new TestState { Number = former.State!.Number + 1 };
        Assert.True(cluster.Former.WriteStateAsync(Name, grain, former).IsCompletedSuccessfully);
        cluster.Former.BeforeWrite[grain] = hook;
    };
}
