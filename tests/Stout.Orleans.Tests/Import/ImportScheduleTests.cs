using System.Text.Json;
using Orleans.Storage;
using static Stout.Orleans.Tests.Import.ImportCluster;

namespace Stout.Orleans.Tests.Import;

/// <summary>
/// Random schedules of a silo with the former storage and two silos that import, with failures of the former storage at every point. Every successful
/// read returns the value of the last acknowledged write.
/// </summary>
public sealed class ImportScheduleTests(ImportCluster cluster) : IClassFixture<ImportCluster>
{
    private static readonly string[] Importers = [Importing, Other];

    [Fact]
    public async Task No_schedule_loses_an_acknowledged_write_or_brings_back_a_deleted_state()
    {
        for (var seed = 0; seed < 200; seed++)
            await new Schedule(cluster, seed).RunAsync();
    }

    private sealed class Schedule(ImportCluster cluster, int seed)
    {
        private readonly Random _random = new(seed);
        private readonly GrainId _grain = NewGrain();
        private readonly List<string> _steps = [];
        private readonly GrainState<TestState>?[] _importers = new GrainState<TestState>?[Importers.Length];
        private GrainState<TestState>? _former;
        private int? _last;
        private int _next;

        public async Task RunAsync()
        {
            _former = await cluster.WriteFormerAsync(_grain, 0);
            _last = 0;
            for (var step = 0; step < 15; step++)
            {
                switch (_random.Next(6))
                {
                    case 0:
                        await ReadFormerAsync();
                        break;
                    case 1:
                        await WriteFormerAsync();
                        break;
                    case < 4:
                        await ReadAsync(_random.Next(Importers.Length));
                        break;
                    default:
                        await ChangeAsync(_random.Next(Importers.Length), deletes: _random.Next(4) == 0);
                        break;
                }
            }

            foreach (var storage in Importers)
                Check(storage, await cluster.ReadAsync(storage, _grain));
        }

        private async Task ReadFormerAsync()
        {
            _former = new GrainState<TestState>();
            try
            {
                await cluster.Former.ReadStateAsync(Name, _grain, _former);
                Check("former", _former);
            }
            catch (JsonException)
            {
                _former = null;
            }
        }

        private async Task WriteFormerAsync()
        {
            if (_former is null)
                return;
            _former.State = new TestState { Number = ++_next };
            try
            {
                await cluster.Former.WriteStateAsync(Name, _grain, _former);
                _last = _next;
                _steps.Add($"former wrote {_next}");
            }
            catch (InconsistentStateException)
            {
                _former = null;
            }
        }

        private async Task ReadAsync(int importer)
        {
            var fault = _random.Next(8);
            Action fails = static () => throw new IOException("cut");
            if (fault == 0)
                cluster.Former.BeforeRead[_grain] = fails;
            else if (fault == 1)
                cluster.Former.BeforeWrite[_grain] = fails;
            else if (fault == 2)
                cluster.Former.AfterWrite[_grain] = fails;
            else if (fault == 3)
                cluster.Former.BeforeWrite[_grain] = WriteFormerOnce;
            try
            {
                _importers[importer] = await cluster.ReadAsync(Importers[importer], _grain);
                Check(Importers[importer], _importers[importer]!);
            }
            catch (GrainStateNotReadException)
            {
                _importers[importer] = null;
                _steps.Add($"{Importers[importer]} failed with fault {fault}");
            }
            finally
            {
                cluster.Former.BeforeRead.TryRemove(_grain, out _);
                cluster.Former.BeforeWrite.TryRemove(_grain, out _);
                cluster.Former.AfterWrite.TryRemove(_grain, out _);
            }
        }

        /// <summary>The silo with the former storage writes while the record is about to be fenced.</summary>
        private void WriteFormerOnce()
        {
            cluster.Former.BeforeWrite.TryRemove(_grain, out _);
            Assert.True(WriteFormerAsync().IsCompletedSuccessfully);
        }

        private async Task ChangeAsync(int importer, bool deletes)
        {
            if (_importers[importer] is not { } state)
                return;
            state.State = new TestState { Number = ++_next };
            try
            {
                if (deletes)
                    await cluster[Importers[importer]].ClearStateAsync(Name, _grain, state);
                else
                    await cluster[Importers[importer]].WriteStateAsync(Name, _grain, state);
                _last = deletes ? null : _next;
                _steps.Add($"{Importers[importer]} {(deletes ? "deleted" : $"wrote {_next}")}");
            }
            catch (InconsistentStateException)
            {
                _importers[importer] = null;
            }
        }

        private void Check(string storage, GrainState<TestState> state)
        {
            int? read = state.RecordExists ? state.State!.Number : null;
            _steps.Add($"{storage} read {read}");
            Assert.True(read == _last, $"Seed {seed}: expected {_last}. {string.Join(", ", _steps)}");
        }
    }
}
