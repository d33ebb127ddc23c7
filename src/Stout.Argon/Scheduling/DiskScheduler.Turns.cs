using Stout.Argon.Engine;

namespace Stout.Argon.Scheduling;

/// <summary>Gives the services their turns, and computes the lengths of their quanta.</summary>
internal sealed partial class DiskScheduler
{
    private void Join(ServiceQueue queue)
    {
        if (queue.InRound)
            return;
        queue.InRound = true;
        if (_current != queue)
            _round.Enqueue(queue);
    }

    private TimeSpan LengthOf(ServiceQueue queue) => (settings.Quantum ?? Unit) * queue.Service.Weight;

    private bool StartNext(TimeSpan now)
    {
        if (_queued == 0)
            return false;
        if (Unit == TimeSpan.Zero)
            Measure();
        while (_round.TryDequeue(out var queue))
        {
            var length = LengthOf(queue);
            if (queue.Waiting.Count == 0 && Skips(queue, length))
            {
                Leave(queue);
                continue;
            }

            if (queue.Credit + length <= TimeSpan.Zero && _round.Count > 0)
            {
                queue.Credit += length;
                _round.Enqueue(queue);
                continue;
            }

            _current = queue;
            _positioning = 0;
            _quantum = new QuantumRecord { Start = now, Budget = _round.Count > 0 || queue.Credit > TimeSpan.Zero ? length + queue.Credit : length, Switched = _last != queue };
            _last = queue;
            return true;
        }

        return false;
    }

    // An idle service keeps its turn while its next request is expected soon. A service whose pauses last more than two quanta is skipped. With n ≥ 2
    // services of equal weight, the skipped service still gets 2/(2 + n) of the throughput that it would have alone. That is more than R/n, the promise for
    // an insulation R below 1.
    private bool Skips(ServiceQueue queue, TimeSpan length) =>
        !settings.KeepIdleTurns && (queue.IdleTurns >= settings.IdleTurns || queue.MeanGap > 2 * length);

    private static void Leave(ServiceQueue queue)
    {
        queue.InRound = false;
        queue.IdleTurns = 0;
        if (queue.Credit > TimeSpan.Zero)
            queue.Credit = TimeSpan.Zero;
    }

    private void End(TimeSpan now)
    {
        var queue = _current!;
        var length = LengthOf(queue);
        var credit = _quantum.Budget - (now - _quantum.Start);
        var most = (MostOwed * length) + (_quantum.Stuck ? settings.StuckAfter : TimeSpan.Zero);
        queue.Credit = credit > length ? length : credit < -most ? -most : credit;
        queue.IdleTurns = _quantum.Issued == 0 ? queue.IdleTurns + 1 : 0;
        Learn(queue, drained: true, now);
        _round.Enqueue(queue);
        if (Shares)
            EndTurn(now);
        _current = null;
        if (++_turns >= _round.Count)
            Measure();
    }

    // Begins the next quantum of the same service. No other service takes turns, so the disk need not drain in between.
    private void Renew(TimeSpan now)
    {
        var queue = _current!;
        if (Outstanding > 0)
        {
            var busy = now - _busySince;
            _quantum.Busy += busy;
            queue.Service.Counters.DiskTime += busy;
            _busySince = now;
        }

        Learn(queue, drained: false, now);
        queue.Credit = TimeSpan.Zero;
        _turnTime += now - _quantum.Start;
        Measure();
        _quantum = new QuantumRecord { Start = now, Budget = LengthOf(queue) };
    }

    private void Learn(ServiceQueue queue, bool drained, TimeSpan now)
    {
        if (_quantum.Stuck)
            return;
        queue.Learn(_quantum.Busy, _quantum.Estimated, _quantum.Positioned, _quantum.Bytes, _quantum.Concurrency, drained, !settings.NeverLearn);
        queue.LearnAlone(_quantum.SteadyTo - _quantum.SteadyFrom, _quantum.SteadyEstimated);
        if (drained && _quantum.DrainStart is { } start && !settings.NeverLearn)
            queue.LearnDrain(now - start, _quantum.DrainExpected);
        var loss = QuantumLength.Loss(Cost, queue.Concurrency, queue.MeanService, queue.MeanBytes);
        // The measured drain may exceed the computed one: on flash a write takes longer than the reads by which the cost was measured.
        if (Cost.Positioning + queue.DrainExcess > loss)
            loss = Cost.Positioning + queue.DrainExcess;
        queue.Drain = loss - Cost.Positioning;
        // A small error of the positioning time changes no plan, but each quantum loses the time that is measured.
        if (_switches >= LeastSwitches && _meanSwitch > Cost.Positioning)
            loss += _meanSwitch - Cost.Positioning;
        queue.Need = QuantumLength.For(loss, Efficiency);
        // A quantum of less than two drains consists mostly of the drain. The drain's excess over the mean would then be underestimated.
        if (2 * queue.DrainTime > queue.Need)
            queue.Need = 2 * queue.DrainTime;
    }

    private void NoteEnd(DiskIo io, TimeSpan now)
    {
        _quantum.Ended++;
        var busy = _quantum.Busy + (now - _busySince);
        if (_quantum.Ended <= _quantum.FirstBatch)
        {
            _quantum.SteadyFrom = _quantum.SteadyTo = busy;
        }
        else if (_quantum.DrainStart is null)
        {
            _quantum.SteadyTo = busy;
            _quantum.SteadyEstimated += io.Estimate;
        }
    }

    // Corrects the positioning time by the first read of each turn, which moves the disk from another service's data. A calibration in a small file
    // measures shorter ways.
    private void LearnPositioning(DiskIo io, TimeSpan now)
    {
        if (_quantum.Ended > 1 || _quantum.Stuck || !_quantum.Switched || io.Kind != DiskIoKind.Read || _quantum.Positioned > 1)
            return;
        var transfer = Cost.Transfer((long)io.Frames.Count * blockSize);
        var sample = now - io.IssuedAt - transfer;
        // A disk with caps takes the longer of a request's two times, so a large request says nothing about the shorter one.
        if (sample < Cost.Positioning / 4 && transfer > Cost.Positioning / 4)
            return;
        _meanSwitch += (sample - _meanSwitch) / Math.Min(++_switches, Switches);
        if (_switches < LeastSwitches || Math.Abs((_meanSwitch / Cost.Positioning) - 1) <= Drift || _meanSwitch <= TimeSpan.Zero)
            return;
        Cost = Cost with { Positioning = _meanSwitch };
        CostChanged = true;
    }

    private void Measure()
    {
        _turns = 0;
        var unit = _current is null ? TimeSpan.Zero : NeedOf(_current);
        foreach (var queue in _round)
        {
            var need = NeedOf(queue);
            unit = need > unit ? need : unit;
        }

        Unit = unit;
    }

    private TimeSpan NeedOf(ServiceQueue queue) => (queue.Need > LeastQuantum ? queue.Need : LeastQuantum) / queue.Service.Weight;
}
