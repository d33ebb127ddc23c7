using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>The epoch floor of stores that change it by a condition.</summary>
public sealed class EpochFloorTests : IDisposable
{
    private static readonly KeyHeader Owned = new(new Stamp(3, Guid.NewGuid(), 1), new KeyOwner(3, Guid.NewGuid()));

    private readonly FakeTimeProvider _time = new();
    private readonly Floor _floor;

    public EpochFloorTests() => _floor = new(TimeSpan.Zero, _time);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => _floor.Dispose();

    [Fact]
    public async Task First_claim_gets_an_epoch_above_the_present_floor()
    {
        _floor.Stored = 5;
        Assert.Equal(6, await ClaimAsync(_floor, default));
        _floor.Stored = 9;
        Assert.Equal(10, await ClaimAsync(_floor, default));
    }

    [Fact]
    public async Task Claims_of_owned_keys_read_the_floor_once_also_when_they_come_together()
    {
        var held = _floor.HoldNextRead();
        var claims = Enumerable.Range(0, 10).Select(_ => ClaimAsync(_floor, Owned)).ToList();
        held.SetResult();
        Assert.All(await Task.WhenAll(claims), static epoch => Assert.Equal(4, epoch));
        Assert.Equal(4, await ClaimAsync(_floor, Owned));
        Assert.Equal(1, _floor.Reads);
    }

    [Fact]
    public async Task Claim_beside_a_rise_of_all_epochs_keeps_no_floor_from_before()
    {
        var held = _floor.HoldNextRead();
        var claim = ClaimAsync(_floor, Owned);
        var rise = _floor.RaiseAllAsync(100, Token).AsTask();
        held.SetResult();
        await rise;
        await claim;

        Assert.Equal(101, await ClaimAsync(_floor, Owned));
    }

    [Fact]
    public async Task Rise_that_another_client_disturbs_is_repeated_and_never_lowers_the_floor()
    {
        _floor.Meanwhile = new([50, 70]);
        await _floor.RaiseAsync(60, Token);
        Assert.Equal(70, _floor.Stored);
        await _floor.RaiseAsync(65, Token);
        Assert.Equal(70, _floor.Stored);
        Assert.Equal(3, _floor.Reads);
    }

    [Fact]
    public async Task Rise_that_others_disturb_without_pause_ends_as_busy()
    {
        _floor.Meanwhile = new(Enumerable.Range(1, 1_000).Select(static epoch => (long)epoch));
        Assert.Equal(StoreErrorKind.Busy, (await Assert.ThrowsAsync<StoreException>(async () => await _floor.RaiseAsync(5_000, Token))).Kind);
    }

    [Fact]
    public async Task First_claims_share_one_rise_for_a_time()
    {
        using var floor = new Floor(TimeSpan.FromMinutes(1), _time) { Stored = 5 };
        var epochs = await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => ClaimAsync(floor, default)));
        Assert.All(epochs, static epoch => Assert.Equal(6, epoch));
        Assert.Equal((6, 1), (floor.Stored, floor.Reads));

        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(7, await ClaimAsync(floor, default));
    }

    private static async Task<long> ClaimAsync(EpochFloor floor, KeyHeader stored) =>
        (await floor.JudgeAsync(stored, new KeyClaim(Guid.NewGuid()), Token))!.Value.Epoch;

    private sealed class Floor(TimeSpan sharedFor, TimeProvider time) : EpochFloor(sharedFor, time)
    {
        private TaskCompletionSource? _held;

        public long Stored { get; set; }

        public int Reads { get; private set; }

        /// <summary>The floors that another client writes between a read and a write of this one.</summary>
        public Queue<long> Meanwhile { get; set; } = new();

        public TaskCompletionSource HoldNextRead() => _held = new(TaskCreationOptions.RunContinuationsAsynchronously);

        protected override async ValueTask<(long Epoch, string? Tag)> ReadAsync(CancellationToken cancellationToken)
        {
            Reads++;
            var read = Stored;
            if (Interlocked.Exchange(ref _held, null) is { } held)
                await held.Task.WaitAsync(cancellationToken);
            return (read, read == 0 ? null : $"{read}");
        }

        protected override ValueTask<bool> TryWriteAsync(long epoch, string? tag, CancellationToken cancellationToken)
        {
            if (Meanwhile.TryDequeue(out var other))
                Stored = other;
            if (tag != (Stored == 0 ? null : $"{Stored}"))
                return new(false);
            Stored = epoch;
            return new(true);
        }
    }
}
