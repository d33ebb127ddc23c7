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
            _quantum = new QuantumRecord { Start = now, Budget = _round.Count > 0 || queue.Credit > TimeSpan.Zero ? length + queue.Credit : length };
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
        queue.Credit = credit > length ? length : credit < -MostOwed * length ? -MostOwed * length : credit;
        queue.IdleTurns = _quantum.Issued == 0 ? queue.IdleTurns + 1 : 0;
        Learn(queue, drained: true, now);
        _current = null;
        _round.Enqueue(queue);
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
        Measure();
        _quantum = new QuantumRecord { Start = now, Budget = LengthOf(queue) };
    }

    private void Learn(ServiceQueue queue, bool drained, TimeSpan now)
    {
        queue.Learn(_quantum.Busy, _quantum.Estimated, _quantum.Positioned, _quantum.Bytes, _quantum.Concurrency, drained, !settings.NeverLearn);
        if (drained && _quantum.DrainStart is { } start && !settings.NeverLearn)
            queue.LearnDrain(now - start, _quantum.DrainExpected);
        var loss = QuantumLength.Loss(Cost, queue.Concurrency, queue.MeanService, queue.MeanBytes);
        // The measured drain may exceed the computed one: on flash a write takes longer than the reads by which the cost was measured.
        if (Cost.Positioning + queue.DrainExcess > loss)
            loss = Cost.Positioning + queue.DrainExcess;
        queue.Drain = loss - Cost.Positioning;
        queue.Need = QuantumLength.For(loss, Efficiency);
        // A quantum of less than two drains consists mostly of the drain. The drain's excess over the mean would then be underestimated.
        if (2 * queue.DrainTime > queue.Need)
            queue.Need = 2 * queue.DrainTime;
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
