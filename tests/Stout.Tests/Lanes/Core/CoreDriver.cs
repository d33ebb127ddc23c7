using System.Buffers;
using Stout.Diagnostics;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Paper;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Lanes.Core;

/// <summary>
/// Drives a <see cref="LaneCore"/> by hand on virtual time: the test gives it events, and plays the application and the store. Nothing
/// happens unless the test says so.
/// </summary>
internal sealed class CoreDriver : ILaneIntake
{
    public CoreDriver(StoutOptions? options = null, StorageLimits? limits = null, double interval = 0, LaneTelemetry? telemetry = null)
    {
        Law = new RecordingLaw { Interval = TimeSpan.FromMilliseconds(interval) };
        options ??= new StoutOptions();
        Room = new PaperRoom(options, telemetry);
        Core = new LaneCore(key => new KeyHandle(this, key), options, limits ?? Limits, Law, Guid.NewGuid(), new Random(1), telemetry, client: Room);
    }

    public static StorageLimits Limits { get; } = new()
    {
        MaxValueBytes = 1000,
        MaxChangeSetParts = 100,
        MaxChangeSetBytes = 2000,
        MaxBatchKeys = 100,
        MaxBatchBytes = 10_000,
    };

    public LaneCore Core { get; }

    public PaperRoom Room { get; }

    public RecordingLaw Law { get; }

    public TimeSpan Now { get; private set; }

    /// <summary>Serialize callbacks under way.</summary>
    public List<SerializationBatch> Callbacks { get; } = [];

    /// <summary>Deserialize callbacks under way.</summary>
    public List<KeyFill> Deserializing { get; } = [];

    /// <summary>Write requests that the store has not answered.</summary>
    public List<WriteRequest> Writes { get; } = [];

    /// <summary>Read requests that the store has not answered.</summary>
    public List<ReadRequest> Reads { get; } = [];

    /// <summary>Messages in the order of their release.</summary>
    public List<TestMessage> Released { get; } = [];

    public bool IsDrained { get; private set; }

    public bool TryPost(in LaneInput input) => throw new NotSupportedException("The test calls the core itself.");

    public ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

    public void ReportCallbackError(Exception error) => throw new NotSupportedException();

    /// <summary>Lets time pass in one step, and takes the core's commands.</summary>
    public void Pass(double milliseconds = 0) => PassTo(Now + TimeSpan.FromMilliseconds(milliseconds));

    /// <summary>Lets time pass until the next time that the core requests (<see cref="LaneCore.WakeAt"/>).</summary>
    public void PassToWake() => PassTo(Core.WakeAt!.Value);

    private void PassTo(TimeSpan now)
    {
        Now = now;
        Core.Advance(Now);
        CarryAll();
    }

    /// <summary>Lets time pass as in a lane: calls <c>Advance</c> only at the times that the core requests (<see cref="LaneCore.WakeAt"/>).</summary>
    public void PassAsALane(double milliseconds)
    {
        var end = Now + TimeSpan.FromMilliseconds(milliseconds);
        while (Core.WakeAt is { } wake && wake <= end)
        {
            Assert.True(wake > Now, "The lane never comes to rest.");
            PassTo(wake);
        }

        Now = end;
    }

    public FillCall Fill(string key, bool asAbsent = false) =>
        Ask(new FillCall(new PartitionKey(key), asAbsent ? FillKind.Absent : FillKind.Shared));

    public FillCall Ask(FillCall request)
    {
        Core.Fill(request, Now);
        CarryAll();
        return request;
    }

    /// <summary>A caller stops waiting.</summary>
    public void Cancel(FillCall caller)
    {
        if (caller.TryCancel(TestContext.Current.CancellationToken))
            Core.Cancel(caller);
        CarryAll();
    }

    /// <inheritdoc cref="Cancel(FillCall)"/>
    public void Cancel(AdmissionCall caller)
    {
        if (caller.TryCancel(TestContext.Current.CancellationToken))
            Core.Cancel(caller);
        CarryAll();
    }

    /// <summary>Begins a claim of a key.</summary>
    public FillCall Claim(string key) =>
        Ask(new FillCall(new PartitionKey(key), FillKind.Claim) { Claim = new KeyClaim(Guid.NewGuid()) });

    /// <summary>A key that is claimed, and that the store does not have.</summary>
    public KeyHandle Claimed(string key, long epoch = 1)
    {
        var request = Claim(key);
        Pass(Law.Interval.TotalMilliseconds);
        Answer(Reads[^1], read => ReadOutcome.NotFound(Stamp.Absent, owner: new KeyOwner(epoch, read.Claim!.Id)));
        EndDeserialize(Deserializing[^1]);
        return Over(request).Result;
    }

    public KeyHandle Open(string key) => Over(Fill(key, asAbsent: true)).Result;

    /// <summary>A key that the store holds, or has held, under this stamp.</summary>
    public KeyHandle Filled(string key, Stamp stamp, bool exists = true)
    {
        var request = Fill(key);
        Pass(Law.Interval.TotalMilliseconds);
        Answer(Reads[^1], _ => exists ? ReadOutcome.Found(stamp, []) : ReadOutcome.NotFound(stamp));
        EndDeserialize(Deserializing[^1]);
        return Over(request).Result;
    }

    /// <summary>Checks that a task is complete, so that a test never waits for ever. The core completes tasks within its calls.</summary>
    public static Task<T> Over<T>(Task<T> promised)
    {
        Assert.True(promised.IsCompleted, "Nobody has answered.");
        return promised;
    }

    /// <summary>Checks that a fill is complete, and returns its handle.</summary>
    public static async Task<KeyHandle> Over(FillCall request) => (await Over(request.Task)).Handle;

    /// <summary>Marks a change, and sends a message that waits for it.</summary>
    public TestMessage Change(KeyHandle handle, string part = "")
    {
        Mark(handle, part);
        return Send(handle);
    }

    public void Mark(KeyHandle handle, string part = "") => Room.MarkDirty(handle, new SubKey(part), Now);

    public TestMessage Send(KeyHandle handle)
    {
        var message = new TestMessage();
        Core.Send(handle, message);
        return message;
    }

    /// <summary>Lets every callback under way write all parts that it is asked for, and end.</summary>
    public void SerializeAll(int bytes = 10)
    {
        foreach (var batch in Callbacks.ToArray())
            Serialize(batch, bytes);
    }

    public void Serialize(SerializationBatch batch, int bytes = 10)
    {
        for (var i = 0; i < batch.Count; i++)
            WriteAsked(batch[i], bytes);
        EndCallback(batch);
    }

    public static void WriteAsked(SerializationKey key, int bytes = 10)
    {
        foreach (var part in key.DirtyParts.ToArray())
            Write(key, part, bytes);
    }

    public static void Write(SerializationKey key, SubKey part, int bytes = 10) => key.Write(part).Write(new byte[bytes]);

    public void EndCallback(SerializationBatch batch, Exception? error = null)
    {
        Callbacks.Remove(batch);
        batch.End();
        Room.Serialized(batch, error, Now);
        Pass();
    }

    /// <summary>Marks a change, and lets the core serialize and send it. The test decides the store's answer.</summary>
    public WriteRequest SendChange(KeyHandle handle, string part = "")
    {
        Mark(handle, part);
        Pass();
        SerializeAll();
        return Writes[^1];
    }

    public void Answer(WriteRequest request, WriteOutcomeKind kind = WriteOutcomeKind.Committed, TimeSpan? retryAfter = null)
    {
        AnswerOnly(request, kind, retryAfter);
        Pass();
    }

    /// <summary>Gives the core an answer, and does not advance it.</summary>
    public void AnswerOnly(WriteRequest request, WriteOutcomeKind kind = WriteOutcomeKind.Committed, TimeSpan? retryAfter = null)
    {
        for (var i = 0; i < request.Count; i++)
            request.Batch.SetOutcome(i, new WriteOutcome(kind, RetryAfter: retryAfter));
        Deliver(request);
    }

    /// <summary>Gives the core an answer with the outcomes that the test has set in the batch.</summary>
    public void Answered(WriteRequest request)
    {
        Deliver(request);
        Pass();
    }

    public void Answer(ReadRequest request, Func<KeyRead, ReadOutcome> read)
    {
        for (var i = 0; i < request.Batch.Count; i++)
            request.Batch.SetOutcome(i, read(request.Batch[i]));
        Reads.Remove(request);
        Core.ReadAnswered(request, Now);
        Pass();
    }

    public void EndDeserialize(KeyFill fill, Exception? error = null)
    {
        Deserializing.Remove(fill);
        Room.Deserialized(fill, error);
        Pass();
    }

    private void Deliver(WriteRequest request)
    {
        Writes.Remove(request);
        Core.WriteAnswered(request, Now);
    }

    private void CarryAll()
    {
        foreach (var command in Core.Commands)
            Carry(command);
        Core.Commands.Clear();
    }

    private void Carry(in LaneCommand command)
    {
        switch (command.Kind)
        {
            case LaneCommandKind.CallClient when command.Subject is SerializationBatch batch:
                Callbacks.Add(batch);
                break;
            case LaneCommandKind.CallClient:
                Deserializing.Add((KeyFill)command.Subject!);
                break;
            case LaneCommandKind.SendWrite:
                Writes.Add((WriteRequest)command.Subject!);
                break;
            case LaneCommandKind.SendRead:
                Reads.Add((ReadRequest)command.Subject!);
                break;
            case LaneCommandKind.Release:
                Release((Message)command.Subject!);
                break;
            case LaneCommandKind.CompleteFill:
                var fill = (FillCall)command.Subject!;
                if (!fill.TryComplete(command.Failure))
                    Core.Cancel(fill);
                break;
            case LaneCommandKind.CompleteAdmission:
                var admission = (AdmissionCall)command.Subject!;
                if (!admission.TryComplete(command.Failure))
                    Core.Cancel(admission);
                break;
            case LaneCommandKind.CompleteClose:
                ((TaskCompletionSource<bool>)command.Subject!).SetResult(command.Handle is not null);
                break;
            case LaneCommandKind.Drained:
                Assert.False(IsDrained, "It was said before.");
                IsDrained = true;
                break;
        }
    }

    private void Release(Message chain)
    {
        Assert.NotNull(chain);
        for (var message = chain; message is not null; message = message.Next!)
        {
            var released = (TestMessage)message;
            Assert.False(released.IsReleased);
            released.IsReleased = true;
            Released.Add(released);
        }
    }
}

/// <summary>A message that remembers its release.</summary>
internal sealed class TestMessage : Message
{
    public bool IsReleased { get; set; }

    public bool IsSafe => IsReleased && Failure is null;

    /// <summary>The failure of the message, which must have failed with exactly this type.</summary>
    public T FailedWith<T>()
        where T : StoutException
    {
        Assert.True(IsReleased);
        return Assert.IsType<T>(Failure);
    }
}
