using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Protocol;
using Stout.Orleans.Chaos.Silos;
using Stout.Tests.Shared;

namespace Stout.Orleans.Chaos.Processes;

/// <summary>A silo in a process of its own. A process that ends by itself, as one that was declared dead does, is started again.</summary>
internal sealed class ProcessSilo(SiloSettings settings, TcpProxy store) : ChaosSilo, IAsyncDisposable
{
    private const int MostStarts = 20;

    private readonly SiloProcess _process = new(settings);
    private readonly SemaphoreSlim _turn = new(1, 1);
    private bool _isWanted;
    private int _ends;
    private Task _startingAgain = Task.CompletedTask;

    /// <inheritdoc/>
    public override string Name => settings.Name;

    /// <inheritdoc/>
    public override bool IsRunning => _process.IsRunning;

    /// <summary>How often the process has ended by itself.</summary>
    public int Ends => _ends;

    /// <summary>Suspends the process (SIGSTOP).</summary>
    public void Suspend() => _process.Suspend();

    /// <summary>Resumes the process (SIGCONT).</summary>
    public void Resume() => _process.Resume();

    /// <inheritdoc/>
    public override Task StartAsync() => InTurnAsync(StartInTurnAsync);

    /// <inheritdoc/>
    public override Task KillAsync() => InTurnAsync(async () =>
    {
        _isWanted = false;
        await _process.KillAsync();
    });

    /// <inheritdoc/>
    public override async Task<IReadOnlyList<EndSave>> LeaveAsync()
    {
        IReadOnlyList<EndSave> saves = [];
        await InTurnAsync(async () =>
        {
            _isWanted = false;
            if (await AskAsync(new SiloRequest(0, RequestKind.Leave)) is not { Outcome: Outcome.Done } answer)
                return;
            try
            {
                await _process.StopAsync();
                saves = answer.Saves;
            }
            catch (InvalidOperationException)
            {
                // The other silos have declared this one dead while it was leaving.
                _ends++;
            }
        });
        return saves;
    }

    /// <inheritdoc/>
    public override Task<SiloAnswer?> AskAsync(SiloRequest request) => _process.AskAsync(request);

    /// <inheritdoc/>
    public override void Cut(bool isCut) => store.OnRequest = store.OnAnswer = isCut ? static _ => TcpProxy.Verdict.Cut : static _ => TcpProxy.Verdict.Pass;

    /// <inheritdoc/>
    public override void Delay(TimeSpan delay) => store.Delay = delay;

    public async ValueTask DisposeAsync()
    {
        await InTurnAsync(async () =>
        {
            _isWanted = false;
            await _process.DisposeAsync();
        });
        await store.DisposeAsync();
        // Throws if the silo ended by itself and could not be started again: the rest of the run then lacked the silo.
        await _startingAgain;
    }

    private async Task StartInTurnAsync()
    {
        for (var start = 1; !_process.IsRunning; start++)
        {
            try
            {
                await _process.StartAsync();
            }
            catch (InvalidOperationException) when (start < MostStarts)
            {
                // The store may be away, or the cluster may not have noticed yet that the former silo is dead.
                await _process.DisposeAsync();
            }
        }

        _isWanted = true;
        NoteJoined();
        _startingAgain = StartAgainAsync(_process.Ended);
    }

    private async Task StartAgainAsync(Task ended)
    {
        await ended;
        await InTurnAsync(async () =>
        {
            if (!_isWanted || _process.IsRunning)
                return;
            _ends++;
            await StartInTurnAsync();
        });
    }

    private async Task InTurnAsync(Func<Task> action)
    {
        await _turn.WaitAsync();
        try
        {
            await action();
        }
        finally
        {
            _turn.Release();
        }
    }
}
