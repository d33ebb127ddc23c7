using Orleans.Storage;

namespace Stout.Orleans.Tests.Semantics;

/// <summary>Compares one state in a storage with a model, under random reads, writes and clears with the current, the former and no ETag.</summary>
internal sealed class StorageModel(IGrainStorage storage, GrainId grain, bool deletes, Random random)
{
    private const string Name = "model";
    private readonly List<string> _history = [];
    private int _value;
    private bool _exists;
    private string? _etag;
    private string? _former;

    public async Task RunAsync(int calls)
    {
        for (var i = 0; i < calls; i++)
        {
            var call = random.Next(3);
            if (call == 0)
                await ReadAsync();
            else
                await ChangeAsync(isClear: call == 2, random.Next(3));
        }
    }

    private async Task ReadAsync()
    {
        _history.Add("read");
        var state = new GrainState<TestState>(new TestState { Number = -1 });
        await storage.ReadStateAsync(Name, grain, state);
        Check((_exists ? _value : 0, _etag, _exists), state);
    }

    private async Task ChangeAsync(bool isClear, int kind)
    {
        var etag = kind switch { 0 => _etag, 1 => _former, _ => null };
        var isRight = etag == _etag;
        var value = random.Next(1, 100);
        _history.Add($"{(isClear ? "clear" : "write")} with the {(kind == 0 ? "current" : kind == 1 ? "former" : "empty")} ETag");
        var state = new GrainState<TestState>(new TestState { Number = value }) { ETag = etag, RecordExists = _exists };
        try
        {
            if (isClear)
                await storage.ClearStateAsync(Name, grain, state);
            else
                await storage.WriteStateAsync(Name, grain, state);
        }
        catch (InconsistentStateException)
        {
            Assert.False(isRight, Told("it was refused"));
            Check((value, etag, _exists), state);
            return;
        }

        Assert.True(isRight, Told("it was not refused"));
        var wasThere = _etag is not null;
        if (wasThere || !isClear)
            Assert.True(state.ETag != _etag, Told("the ETag stays"));
        Assert.True(state.ETag is null == (isClear && (deletes || !wasThere)), Told($"the ETag is {state.ETag}"));
        (_former, _etag) = (_etag ?? _former, state.ETag);
        (_exists, _value) = (!isClear, value);
        Check((_exists ? value : 0, _etag, _exists), state);
    }

    private void Check((int Value, string? ETag, bool Exists) expected, GrainState<TestState> state) =>
        Assert.True(expected == (state.State!.Number, state.ETag, state.RecordExists), Told($"expected {expected}, found {(state.State!.Number, state.ETag, state.RecordExists)}"));

    private string Told(string what) => $"{what} after {string.Join(", ", _history)}";
}
