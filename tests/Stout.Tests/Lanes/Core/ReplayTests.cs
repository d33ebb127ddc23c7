using System.Globalization;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A recorded sequence of inputs, cancellations among them, fixes all outputs of a lane's core.</summary>
public sealed class ReplayTests
{
    private static readonly string[] Kinds = ["fill", "cancel", "push", "message", "confirm", "close", "admit", "leave", "write", "write", "write", "read", "read", "pass"];

    [Fact]
    public void A_replay_of_recorded_inputs_gives_the_same_outputs()
    {
        for (var seed = 0; seed < 30; seed++)
        {
            var random = new Random(seed);
            var recorded = new RecordedLane();
            var inputs = Enumerable.Range(0, 400)
                .Select(_ => new RecordedInput(Kinds[random.Next(Kinds.Length)], random.Next(1 << 16), TimeSpan.FromMilliseconds(random.Next(40))))
                .ToList();
            inputs.ForEach(recorded.Apply);
            var replayed = new RecordedLane();
            inputs.ForEach(replayed.Apply);

            Assert.Equal(recorded.Outputs, replayed.Outputs);
            Assert.All(Enum.GetValues<LaneCommandKind>().Except([LaneCommandKind.CallClient, LaneCommandKind.Drained, LaneCommandKind.CancelRead]), kind =>
                Assert.Contains(recorded.Outputs, output => output.Contains(kind.ToString(), StringComparison.Ordinal)));
            // The outputs depend on the cancellations.
            var patient = new RecordedLane();
            inputs.Where(input => input.Kind != "cancel").ToList().ForEach(patient.Apply);
            Assert.NotEqual(recorded.Outputs, patient.Outputs);
        }
    }

    /// <summary>One input: its kind, a number that selects its subject and its detail, and the time since the input before.</summary>
    private sealed record RecordedInput(string Kind, int Choice, TimeSpan After);

    /// <summary>A core that takes recorded inputs, and writes its outputs down.</summary>
    private sealed class RecordedLane : ILaneIntake
    {
        private readonly LaneCore _core;
        private readonly List<FillCall> _fills = [];
        private readonly List<AdmissionCall> _callers = [];
        private readonly List<KeyHandle> _handles = [];
        private readonly List<WriteRequest> _writes = [];
        private readonly List<ReadRequest> _reads = [];
        private readonly List<object> _names = [];
        private TimeSpan _now;

        public RecordedLane() => _core = new LaneCore(
            key => new KeyHandle(this, key),
            new StoutOptions { MaxDirtyKeys = 3, RequestTimeout = TimeSpan.FromMilliseconds(500), UnreachableTimeout = TimeSpan.FromSeconds(1) },
            CoreDriver.Limits,
            new FixedIntervalLaw(new FixedIntervalLawParameters { Interval = TimeSpan.FromMilliseconds(5) }),
            new Guid(1, 2, 3, [4, 5, 6, 7, 8, 9, 10, 11]),
            new Random(1));

        public List<string> Outputs { get; } = [];

        public bool TryPost(in LaneInput input) => throw new NotSupportedException();

        public ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

        public void ReportCallbackError(Exception error) => throw new NotSupportedException();

        public void Apply(RecordedInput input)
        {
            _now += input.After;
            var choice = input.Choice;
            switch (input.Kind)
            {
                case "fill":
                    var call = new FillCall(new PartitionKey($"key {choice % 7}"), choice % 3 == 0 ? FillKind.Absent : FillKind.Shared);
                    _fills.Add(call);
                    _core.Fill(call, _now);
                    break;
                case "cancel" when Pick(_fills, choice) is { } fill:
                    if (fill.TryCancel(default))
                        _core.Cancel(fill);
                    break;
                case "push" when Pick(_handles, choice) is { } handle:
                    _core.Push(handle, new RecordedChange(choice), _now);
                    break;
                case "message" when Pick(_handles, choice) is { } handle:
                    _core.Send(handle, new TestMessage());
                    break;
                case "confirm" when Pick(_handles, choice) is { Phase: not KeyPhase.Filling } handle:
                    _core.Confirm(handle, new TestMessage(), _now);
                    break;
                case "close" when choice % 4 == 0 && Pick(_handles, choice) is { } handle:
                    _core.TryClose(handle, handle);
                    break;
                case "admit":
                    var caller = new AdmissionCall(choice % 2 == 0);
                    _callers.Add(caller);
                    _core.Admit(caller, _now);
                    break;
                case "leave" when Pick(_callers, choice) is { } gone:
                    if (gone.TryCancel(default))
                        _core.Cancel(gone);
                    break;
                case "write" when Pick(_writes, choice) is { } write:
                    for (var i = 0; i < write.Count; i++)
                        write.Batch.SetOutcome(i, new WriteOutcome(choice % 5 == 0 ? WriteOutcomeKind.Overloaded : WriteOutcomeKind.Committed));
                    _writes.Remove(write);
                    _core.WriteAnswered(write, _now);
                    break;
                case "read" when Pick(_reads, choice) is { } read:
                    for (var i = 0; i < read.Batch.Count; i++)
                        read.Batch.SetOutcome(i, ReadOutcome.NotFound(Stamp.Absent));
                    _reads.Remove(read);
                    _core.ReadAnswered(read, _now);
                    break;
            }

            _core.Advance(_now);
            WriteDown();
        }

        private static T? Pick<T>(List<T> all, int choice)
            where T : class => all.Count == 0 ? null : all[choice % all.Count];

        private void WriteDown()
        {
            for (var i = 0; i < _core.Commands.Count; i++)
                WriteDown(_core.Commands[i]);
            _core.Commands.Clear();
            Outputs.Add(string.Create(CultureInfo.InvariantCulture, $"{_now} wake {_core.WakeAt} {_core.GetStatistics()}"));
        }

        private void WriteDown(in LaneCommand command)
        {
            var text = $"{command.Kind} {NumberOf(command.Subject!)} {command.Handle?.Key} {command.Failure?.GetType().Name}";
            switch (command.Kind)
            {
                case LaneCommandKind.SendWrite:
                    var write = (WriteRequest)command.Subject!;
                    _writes.Add(write);
                    text += string.Concat(Enumerable.Range(0, write.Count).Select(i => $" {write.Batch[i].Key} {write.Batch[i].Kind} {write.Batch[i].Expected} {write.Batch[i].Next}"));
                    break;
                case LaneCommandKind.SendRead:
                    var read = (ReadRequest)command.Subject!;
                    _reads.Add(read);
                    text += string.Concat(Enumerable.Range(0, read.Batch.Count).Select(i => $" {read.Batch[i].Key} {read.Batch[i].Kind}"));
                    break;
                case LaneCommandKind.CompleteFill:
                    var fill = (FillCall)command.Subject!;
                    text += $" {fill.Opened?.GetType().Name}";
                    if (!fill.TryComplete(command.Failure))
                        _core.Cancel(fill);
                    else if (fill.Opened is { } opened)
                        _handles.Add(opened.Handle);
                    break;
                case LaneCommandKind.CompleteAdmission:
                    var caller = (AdmissionCall)command.Subject!;
                    if (!caller.TryComplete(command.Failure))
                        _core.Cancel(caller);
                    break;
            }

            Outputs.Add(text);
        }

        // Requests and messages have no names, so the outputs number them in the order of their appearance.
        private int NumberOf(object subject)
        {
            var number = _names.FindIndex(known => ReferenceEquals(known, subject));
            if (number >= 0)
                return number;
            _names.Add(subject);
            return _names.Count - 1;
        }
    }

    private sealed class RecordedChange : PushedChange
    {
        public RecordedChange(int choice)
        {
            First = new WrittenPart(new SubKey(choice % 3 == 0 ? "" : $"part {choice % 3}"), new byte[choice % 100]);
            PartCount = 1;
            Bytes = choice % 100;
        }
    }
}
