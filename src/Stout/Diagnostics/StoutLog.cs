using Microsoft.Extensions.Logging;

namespace Stout.Diagnostics;

/// <summary>The log messages. Messages above Debug contain no key and no value.</summary>
internal static partial class StoutLog
{
    [LoggerMessage(StoutLogEvents.Opened, LogLevel.Information, "Stout {Client} is open; store partitions: {Partitions}")]
    public static partial void Opened(this ILogger logger, string client, int partitions);

    [LoggerMessage(StoutLogEvents.TransportIsOpen, LogLevel.Warning,
        "Stout {Client}: connections to the store leave this machine, and no setting requires that they are encrypted. The store's README names the secure one.")]
    public static partial void TransportIsOpen(this ILogger logger, string client);

    [LoggerMessage(StoutLogEvents.StoreNotOpen, LogLevel.Warning, "Stout {Client}: the store can't be opened yet. The start waits for it, for as long as WaitAtStart allows.")]
    public static partial void StoreNotOpen(this ILogger logger, Exception error, string client);

    [LoggerMessage(StoutLogEvents.BackgroundJobFailed, LogLevel.Warning,
        "Stout {Client}: the background job {Job} of {Place} has failed, {Failures} times since the last report. It is repeated; writes go on.")]
    public static partial void BackgroundJobFailed(this ILogger logger, Exception error, string client, string job, string place, long failures);

    [LoggerMessage(StoutLogEvents.EpochsRaised, LogLevel.Warning, "Stout {Client}: RaiseEpochsTo is set. From now on, claims give epochs above {Epoch}.")]
    public static partial void EpochsRaised(this ILogger logger, string client, long epoch);

    [LoggerMessage(StoutLogEvents.MutableType, LogLevel.Information, "Stout {Client}: each read of {Type} deserializes its bytes, since its values are mutable: {Obstacle}")]
    public static partial void MutableType(this ILogger logger, string client, string type, string obstacle);

    [LoggerMessage(StoutLogEvents.StoreUnreachable, LogLevel.Warning, "Stout {Client}, partition {Partition}: the store can't be reached. Changes wait.")]
    public static partial void StoreUnreachable(this ILogger logger, Exception? error, string client, int partition);

    [LoggerMessage(StoutLogEvents.StoreSilent, LogLevel.Warning, "Stout {Client}, partition {Partition}: the store gives no certain answers. Writes are repeated.")]
    public static partial void StoreSilent(this ILogger logger, Exception? error, string client, int partition);

    [LoggerMessage(StoutLogEvents.StoreOverloaded, LogLevel.Warning, "Stout {Client}, partition {Partition}: the store is overloaded. Changes wait.")]
    public static partial void StoreOverloaded(this ILogger logger, Exception? error, string client, int partition);

    [LoggerMessage(StoutLogEvents.StoreRecovered, LogLevel.Information, "Stout {Client}, partition {Partition}: the store answers again, after {Failures} failed requests")]
    public static partial void StoreRecovered(this ILogger logger, string client, int partition, long failures);

    [LoggerMessage(StoutLogEvents.OverloadBegun, LogLevel.Warning,
        "Stout {Client}, partition {Partition}: too much is undurable ({Keys} keys, {Bytes} bytes, {Messages} messages). Callers are held back.")]
    public static partial void OverloadBegun(this ILogger logger, string client, int partition, int keys, long bytes, int messages);

    [LoggerMessage(StoutLogEvents.OverloadEnded, LogLevel.Information, "Stout {Client}, partition {Partition}: callers come in at once again")]
    public static partial void OverloadEnded(this ILogger logger, string client, int partition);

    [LoggerMessage(StoutLogEvents.KeysFailed, LogLevel.Warning, "Stout {Client}, partition {Partition}: {Keys} keys have failed since the last report, the latest as {Kind}")]
    public static partial void KeysFailed(this ILogger logger, Exception? error, string client, int partition, long keys, string kind);

    [LoggerMessage(StoutLogEvents.OutcomeUnknown, LogLevel.Warning,
        "Stout {Client}, partition {Partition}: it is unknown whether the changes of {Keys} keys are in the store (since the last report)")]
    public static partial void OutcomeUnknown(this ILogger logger, Exception? error, string client, int partition, long keys);

    [LoggerMessage(StoutLogEvents.GaveUp, LogLevel.Warning,
        "Stout {Client}, partition {Partition}: gave up the changes of {Keys} keys (since the last report): the store could not be reached for too long")]
    public static partial void GaveUp(this ILogger logger, Exception? error, string client, int partition, long keys);

    [LoggerMessage(StoutLogEvents.KeyFailed, LogLevel.Debug, "Stout {Client}, partition {Partition}: key {Key} has failed as {Kind}")]
    public static partial void KeyFailed(this ILogger logger, Exception error, string client, int partition, string key, string kind);

    [LoggerMessage(StoutLogEvents.CallbackThrew, LogLevel.Error,
        "Stout {Client}, partition {Partition}: {Errors} message callbacks have thrown since the last report; the latest error")]
    public static partial void CallbackThrew(this ILogger logger, Exception error, string client, int partition, long errors);

    [LoggerMessage(StoutLogEvents.CallbackSlow, LogLevel.Information,
        "Stout {Client}, partition {Partition}: {Callbacks} Serialize callbacks have taken long since the last report, the latest with {Keys} keys")]
    public static partial void CallbackSlow(this ILogger logger, string client, int partition, long callbacks, int keys);

    [LoggerMessage(StoutLogEvents.CallbackHung, LogLevel.Error,
        "Stout {Client}, partition {Partition}: {Callbacks} Serialize callbacks have not ended in time since the last report, the latest with {Keys} keys, which fail")]
    public static partial void CallbackHung(this ILogger logger, string client, int partition, long callbacks, int keys);

    [LoggerMessage(StoutLogEvents.DrainBegun, LogLevel.Information, "Stout {Client} drains: {Keys} dirty keys, {Messages} waiting messages")]
    public static partial void DrainBegun(this ILogger logger, string client, int keys, int messages);

    [LoggerMessage(StoutLogEvents.DrainEnded, LogLevel.Information,
        "Stout {Client} has drained: {Changes} changes in {KeysWritten} keys written by {Requests} requests since it was opened; {KeysFailed} keys have failed")]
    public static partial void DrainEnded(this ILogger logger, string client, long changes, long keysWritten, long requests, long keysFailed);

    [LoggerMessage(StoutLogEvents.DrainAborted, LogLevel.Warning, "Stout {Client} is cut off while it drains: {Keys} dirty keys and {Messages} waiting messages fail")]
    public static partial void DrainAborted(this ILogger logger, string client, int keys, int messages);

    [LoggerMessage(StoutLogEvents.ThreadPoolBusy, LogLevel.Warning,
        "Stout {Client}: work has waited for {Seconds} s for a thread of the pool, which has {Threads} threads and {Queued} queued items. Replies and callbacks wait as well. The usual cause is code that blocks on tasks (.Result, .Wait()).")]
    public static partial void ThreadPoolBusy(this ILogger logger, string client, int seconds, int threads, long queued);
}
