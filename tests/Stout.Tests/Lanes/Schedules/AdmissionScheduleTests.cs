using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Storage;
using Stout.Tests.Lanes.Core;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>Admission in any order of calls, marks, cancellations and answers: no caller waits while there is room, and no bound is exceeded.</summary>
public sealed class AdmissionScheduleTests
{
    private static int Schedules { get; } =
        int.TryParse(Environment.GetEnvironmentVariable("STOUT_SCHEDULES"), out var count) ? count : 2_000;

    [Fact]
    public void Whenever_there_is_room_no_caller_waits()
    {
        for (var seed = 0; seed < Schedules; seed++)
            new AdmissionSchedule(seed).Run();
    }
}

/// <summary>One schedule, given by its seed. Callers that are admitted mark a key, mark one that is dirty, change nothing, or never come back.</summary>
internal sealed class AdmissionSchedule
{
    private readonly int _seed;
    private readonly Random _random;
    private readonly StoutOptions _options;
    private readonly CoreDriver _lane;
    private readonly List<AdmissionCall> _waiting = [];
    private readonly List<AdmissionCall> _admitted = [];
    private readonly List<KeyHandle> _handles = [];

    public AdmissionSchedule(int seed)
    {
        (_seed, _random) = (seed, new Random(seed));
        _options = new StoutOptions { MaxDirtyKeys = _random.Next(1, 6), MaxUndurableBytes = _random.Next(1, 200), MaxWaitingMessages = _random.Next(1, 10) };
        _lane = new CoreDriver(_options);
        for (var i = 0; i < 10; i++)
            _handles.Add(_lane.Open($"key {i}"));
    }

    public void Run()
    {
        for (var step = 0; step < 200; step++)
        {
            Step();
            Take();
        }

        // From here on the store answers, and each round ends all reservations. So all waiting callers must be admitted, one after another.
        for (var round = 0; _waiting.Count > 0; round++)
        {
            Assert.True(round < 1000, $"seed {_seed}: {_waiting.Count} callers wait for ever.");
            _admitted.Clear();
            Answer();
            _lane.PassAsALane(AdmissionControl.Turn.TotalMilliseconds);
            Take();
            CheckNobodyWaitsForRoom();
        }
    }

    private void Step()
    {
        switch (_random.Next(8))
        {
            case < 3:
                var caller = new AdmissionCall(changesSomething: _random.Next(4) > 0);
                _waiting.Add(caller);
                _lane.Core.Admit(caller, _lane.Now);
                _lane.Pass();
                break;
            case 3 when _waiting.Count > 0:
                _lane.Cancel(_waiting[_random.Next(_waiting.Count)]);
                break;
            case 4:
                Answer();
                break;
            case 5:
                _lane.PassAsALane(_random.Next(20));
                break;
            default:
                if (_admitted.Count > 0)
                    Use();
                break;
        }
    }

    private void Use()
    {
        _admitted.RemoveAt(0);
        var handle = _handles[_random.Next(_handles.Count)];
        if (_random.Next(3) == 0)
            _lane.Core.EndAdmission();
        else if (!handle.IsClosed)
            _lane.Change(handle);
        _lane.Pass();
    }

    private void Answer()
    {
        _lane.SerializeAll(bytes: _random.Next(60));
        foreach (var write in _lane.Writes.ToArray())
            _lane.Answer(write, _random.Next(4) > 0 ? WriteOutcomeKind.Committed : WriteOutcomeKind.Overloaded);
        _lane.PassAsALane(1000);
        for (var i = 0; i < _handles.Count; i++)
        {
            if (_handles[i].IsClosed)
                _handles[i] = _lane.Open(_handles[i].Key.Text);
        }
    }

    private void Take()
    {
        foreach (var caller in _waiting.Where(caller => caller.Task.IsCompleted))
        {
            if (caller.Task.IsCompletedSuccessfully && caller.ChangesSomething)
                _admitted.Add(caller);
        }

        _waiting.RemoveAll(caller => caller.Task.IsCompleted);
    }

    // Every reservation has ended by now, so a caller may wait only while a bound is reached.
    private void CheckNobodyWaitsForRoom()
    {
        var now = _lane.Core.GetStatistics();
        var isFull = now.DirtyKeys >= _options.MaxDirtyKeys || now.UndurableBytes >= _options.MaxUndurableBytes || now.WaitingMessages >= _options.MaxWaitingMessages;
        if (!isFull && _waiting.Count > 0)
            _lane.PassAsALane(AdmissionControl.Turn.TotalMilliseconds * _waiting.Count);
        Take();
        Assert.True(isFull || _waiting.Count == 0, $"seed {_seed}: {_waiting.Count} callers wait though there is room.");
    }
}
