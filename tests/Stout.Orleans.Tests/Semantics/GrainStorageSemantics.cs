using Orleans.Storage;

namespace Stout.Orleans.Tests.Semantics;

/// <summary>Orleans' requirements for a grain storage: the statements that Orleans' own test kit checks, as tests written anew.</summary>
public abstract class GrainStorageSemantics(SemanticsCluster cluster)
{
    private const string Name = "profile";
    private static readonly string[] StateNames = ["a", "a/b", "a%2Fb", ""];
    private static readonly string[] GrainTypes = ["t", "b/t"];

    public static TheoryData<string> Providers => ProviderNames.Names;

    [Theory, MemberData(nameof(Providers))]
    public async Task A_state_that_was_never_written_reads_as_new(string provider)
    {
        var state = New(new TestState { Text = "stale", Number = 1 });
        state.RecordExists = true;
        await Storage(provider).ReadStateAsync(Name, NewGrain(), state);
        Assert.Equal((new TestState(), null, false), (state.State, state.ETag, state.RecordExists));
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task What_is_written_is_read_with_its_ETag(string provider)
    {
        foreach (var grain in new[] { NewGrain(), GrainId.Create(GrainType.Create("numbered"), GrainIdKeyExtensions.CreateIntegerKey(Random.Shared.NextInt64())) })
        {
            var written = await WriteAsync(provider, grain, new TestState { Text = "Привет, мир", Number = 2, Large = 3 });
            var read = await ReadAsync(provider, grain);
            Assert.Equal((written.State, written.ETag, true), (read.State, read.ETag, read.RecordExists));
        }
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task Grains_whose_type_and_key_exceed_256_bytes_have_states_of_their_own(string provider)
    {
        var type = GrainType.Create("type" + new string('t', 200));
        var common = $"{NewGrain().Key}{new string('k', 100)}";
        GrainId[] grains = [.. new[] { "", "1", "2", new string('日', 700) }.Select(end => GrainId.Create(type, common + end))];
        var states = new List<GrainState<TestState>>();
        foreach (var grain in grains)
            states.Add(await WriteAsync(provider, grain, new TestState { Text = $"{grain}", Number = 1 }));
        for (var i = 0; i < grains.Length; i++)
        {
            states[i].State = states[i].State! with { Number = i };
            await Storage(provider).WriteStateAsync(Name, grains[i], states[i]);
        }

        await Storage(provider).ClearStateAsync(Name, grains[1], states[1]);

        for (var i = 0; i < grains.Length; i++)
        {
            var read = await ReadAsync(provider, grains[i]);
            Assert.Equal((i == 1 ? new TestState() : new TestState { Text = $"{grains[i]}", Number = i }, i != 1), (read.State, read.RecordExists));
            Assert.Equal(states[i].ETag, read.ETag);
        }
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task Every_write_has_an_ETag_of_its_own_also_one_of_the_same_value(string provider)
    {
        var state = New(new TestState { Number = 7 });
        var grain = NewGrain();
        var etags = new HashSet<string>();
        for (var i = 0; i < 3; i++)
        {
            await Storage(provider).WriteStateAsync(Name, grain, state);
            Assert.True(etags.Add(Assert.IsType<string>(state.ETag)));
        }
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task An_ETag_survives_reads_through_the_same_provider(string provider)
    {
        var grain = NewGrain();
        var state = await WriteAsync(provider, grain, new TestState { Number = 1 });
        await ReadAsync(provider, grain);
        state.State = new TestState { Number = 2 };
        await Storage(provider).WriteStateAsync(Name, grain, state);
        Assert.Equal(2, (await ReadAsync(provider, grain)).State!.Number);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task A_write_without_ETag_of_a_state_that_exists_is_refused(string provider)
    {
        var grain = NewGrain();
        await WriteAsync(provider, grain, new TestState { Number = 1 });
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => WriteAsync(provider, grain, new TestState { Number = 2 }));
        Assert.Equal(1, (await ReadAsync(provider, grain)).State!.Number);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task Writes_and_clears_with_an_older_ETag_are_refused_and_change_nothing(string provider)
    {
        var grain = NewGrain();
        var state = await WriteAsync(provider, grain, new TestState { Number = 1 });
        var old = state.ETag;
        state.State = new TestState { Number = 2 };
        await Storage(provider).WriteStateAsync(Name, grain, state);

        var stale = New(new TestState { Number = 3 }, old);
        var refused = await Assert.ThrowsAnyAsync<InconsistentStateException>(() => Storage(provider).WriteStateAsync(Name, grain, stale));
        Assert.Equal((state.ETag, old), (refused.StoredEtag, refused.CurrentEtag));
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => Storage(provider).ClearStateAsync(Name, grain, stale));
        Assert.Equal((old, 3), (stale.ETag, stale.State!.Number));

        var read = await ReadAsync(provider, grain);
        Assert.Equal((2, state.ETag, true), (read.State!.Number, read.ETag, read.RecordExists));
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task ETags_of_other_providers_are_refused_and_named(string provider)
    {
        var grain = NewGrain();
        await WriteAsync(provider, grain, new TestState { Number = 1 });
        foreach (var etag in new[] { "17", "\"0x8D\"", new string('z', 64), new string('0', 64) })
        {
            var refused = await Assert.ThrowsAnyAsync<InconsistentStateException>(
                () => Storage(provider).WriteStateAsync(Name, grain, New(new TestState { Number = 2 }, etag)));
            Assert.Equal(etag, refused.CurrentEtag);
            Assert.Contains("is not one of this provider", refused.Message, StringComparison.Ordinal);
        }

        Assert.Equal(1, (await ReadAsync(provider, grain)).State!.Number);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task A_cleared_state_reads_as_new_and_can_be_written_again(string provider)
    {
        var grain = NewGrain();
        var state = await WriteAsync(provider, grain, new TestState { Text = "first", Number = 1 });
        var written = state.ETag;
        await Storage(provider).ClearStateAsync(Name, grain, state);
        Assert.Equal((new TestState(), false), (state.State, state.RecordExists));
        Assert.NotEqual(written, state.ETag);
        Assert.Equal(ProviderNames.Deletes(provider), state.ETag is null);

        var cleared = await ReadAsync(provider, grain);
        Assert.Equal((new TestState(), state.ETag, false), (cleared.State, cleared.ETag, cleared.RecordExists));

        state.State = new TestState { Text = "second" };
        await Storage(provider).WriteStateAsync(Name, grain, state);
        Assert.True(state.RecordExists);
        Assert.NotEqual(written, state.ETag);
        Assert.Equal("second", (await ReadAsync(provider, grain)).State!.Text);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task A_state_can_be_cleared_before_it_is_written_and_twice(string provider)
    {
        var grain = NewGrain();
        var state = New(new TestState { Number = 1 });
        state.RecordExists = true;
        await Storage(provider).ClearStateAsync(Name, grain, state);
        Assert.Equal((new TestState(), false), (state.State, state.RecordExists));

        state.State = new TestState { Number = 1 };
        await Storage(provider).WriteStateAsync(Name, grain, state);
        for (var i = 0; i < 2; i++)
        {
            await Storage(provider).ClearStateAsync(Name, grain, state);
            Assert.Equal((new TestState(), false), (state.State, state.RecordExists));
        }

        Assert.Equal(state.ETag, (await ReadAsync(provider, grain)).ETag);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task States_of_different_names_grains_and_grain_types_are_different(string provider)
    {
        var id = Guid.NewGuid().ToString("N");
        var all = (from name in StateNames from type in GrainTypes select (name, GrainId.Create(type, id))).ToList();
        for (var i = 0; i < all.Count; i++)
            await Storage(provider).WriteStateAsync(all[i].name, all[i].Item2, New(new TestState { Number = i }));
        for (var i = 0; i < all.Count; i++)
        {
            var read = New(new TestState());
            await Storage(provider).ReadStateAsync(all[i].name, all[i].Item2, read);
            Assert.Equal(i, read.State!.Number);
        }
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task Many_states_are_written_and_read_at_once(string provider)
    {
        var grains = Enumerable.Range(0, cluster.Many).Select(_ => NewGrain()).ToList();
        await Parallel.ForEachAsync(grains, TestContext.Current.CancellationToken, async (grain, _) =>
        {
            var state = New(new TestState());
            for (var i = 1; i <= 10; i++)
            {
                var before = state.ETag;
                state.State = new TestState { Number = i };
                await Storage(provider).WriteStateAsync(Name, grain, state);
                Assert.NotEqual(before, state.ETag);
                var read = await ReadAsync(provider, grain);
                Assert.Equal((i, state.ETag), (read.State!.Number, read.ETag));
            }
        });
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task Calls_of_one_state_that_overlap_run_one_after_the_other(string provider)
    {
        var grain = NewGrain();
        await WriteAsync(provider, grain, new TestState());
        var attempts = await Task.WhenAll(Enumerable.Range(0, 16).Select(async i =>
        {
            var state = await ReadAsync(provider, grain);
            var replaced = state.ETag;
            state.State = new TestState { Number = i };
            try
            {
                await Storage(provider).WriteStateAsync(Name, grain, state);
                return (Replaced: replaced, Written: state.ETag);
            }
            catch (InconsistentStateException)
            {
                return default((string? Replaced, string? Written));
            }
        }));
        var written = attempts.Select(attempt => attempt.Written).OfType<string>().ToList();
        Assert.NotEmpty(written);
        Assert.Equal(written.Count, attempts.Where(attempt => attempt.Written is not null).Select(attempt => attempt.Replaced).Distinct().Count());
        Assert.Equal(written.Count, written.Distinct().Count());
        Assert.Contains((await ReadAsync(provider, grain)).ETag, written);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task Random_sequences_of_calls_agree_with_a_model(string provider)
    {
        for (var seed = 0; seed < cluster.Sequences; seed++)
            await new StorageModel(Storage(provider), NewGrain(), ProviderNames.Deletes(provider), new Random(seed)).RunAsync(20);
    }

    [Theory, MemberData(nameof(Providers))]
    public async Task A_write_that_is_cancelled_before_it_begins_changes_nothing(string provider)
    {
        var grain = NewGrain();
        var state = await WriteAsync(provider, grain, new TestState { Number = 1 });
        var changed = New(new TestState { Number = 2 }, state.ETag);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Storage(provider).WriteStateAsync(Name, grain, changed, new CancellationToken(canceled: true)));
        var read = await ReadAsync(provider, grain);
        Assert.Equal((1, state.ETag), (read.State!.Number, read.ETag));
    }

    private static GrainId NewGrain() => GrainId.Create("player", Guid.NewGuid().ToString("N"));

    private static GrainState<TestState> New(TestState state, string? etag = null) => new(state) { ETag = etag };

    private IGrainStorage Storage(string provider)
    {
        Assert.SkipWhen(cluster.Missing is not null, cluster.Missing ?? "");
        return cluster[provider];
    }

    private async Task<GrainState<TestState>> WriteAsync(string provider, GrainId grain, TestState value)
    {
        var state = New(value);
        await Storage(provider).WriteStateAsync(Name, grain, state);
        return state;
    }

    private async Task<GrainState<TestState>> ReadAsync(string provider, GrainId grain)
    {
        var state = New(new TestState { Text = "to be replaced" });
        await Storage(provider).ReadStateAsync(Name, grain, state);
        return state;
    }
}
