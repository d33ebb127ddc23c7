using Microsoft.Extensions.Logging;

namespace Stout.Orleans.Diagnostics;

/// <summary>The texts of the log events. They contain no id of a grain and no value of a state.</summary>
internal static partial class OrleansLog
{
    [LoggerMessage(1, LogLevel.Warning, "Grain storage {Provider}: another owner has claimed a state that an activation of this silo had. Its writes are refused until it reads again.")]
    public static partial void Fenced(this ILogger logger, string provider);

    [LoggerMessage(2, LogLevel.Warning, "Grain storage {Provider}: a state was written elsewhere since an activation of this silo read it. Its writes are refused until it reads again.")]
    public static partial void Conflict(this ILogger logger, string provider);

    [LoggerMessage(3, LogLevel.Warning, "Grain storage {Provider}: it is unknown whether the store holds a state that was written. It has to be read again.")]
    public static partial void OutcomeUnknown(this ILogger logger, string provider);

    [LoggerMessage(8, LogLevel.Warning, "Grain storage {Provider}: an activation ends while a change of its state is not durable. The key stays open until the outcome is known, and is not handed over.")]
    public static partial void ClosesLate(this ILogger logger, string provider);

    [LoggerMessage(4, LogLevel.Information, "Grain storage {Provider}: all activations have ended, and what they have written is made durable")]
    public static partial void Draining(this ILogger logger, string provider);

    [LoggerMessage(5, LogLevel.Warning, "Grain storage {Provider}: a facet's state could not be made durable, and its activation is deactivated")]
    public static partial void FacetFailed(this ILogger logger, Exception error, string provider);

    [LoggerMessage(6, LogLevel.Information, "Grain storage {Provider}: states that it does not have are imported from the grain storage {Former}")]
    public static partial void Importing(this ILogger logger, string provider, string former);

    [LoggerMessage(7, LogLevel.Warning, "Grain storage {Provider}: a state was written through the grain storage {Former} while it was imported, and is read again. A silo still uses that storage.")]
    public static partial void FormerChanged(this ILogger logger, string provider, string former);

    [LoggerMessage(9, LogLevel.Information, "The silo stops and hands {Grains} grains over, within {Limit}")]
    public static partial void HandingOver(this ILogger logger, int grains, TimeSpan limit);

    [LoggerMessage(10, LogLevel.Information, "The silo has handed {HandedOver} grains over in {Time}. {LetGo} were let go, since their calls or writes had not ended, and {Cold} stop without a hand-over.")]
    public static partial void HandedOver(this ILogger logger, int handedOver, int letGo, int cold, TimeSpan time);

    [LoggerMessage(11, LogLevel.Debug, "Another silo has not learned that this silo stops. It may still place grains here.")]
    public static partial void CordonUnknown(this ILogger logger, Exception error);

    [LoggerMessage(12, LogLevel.Warning, "Grain storage {Provider}: a state was erased, but its grain could not be told to end. A live activation keeps the state in its memory until it writes.")]
    public static partial void NotEnded(this ILogger logger, Exception error, string provider);

    [LoggerMessage(20, LogLevel.Warning, "Grain storage {Provider} is registered several times. The last registration is used: {Used}. Not used: {Unused}.")]
    public static partial void Overridden(this ILogger logger, string provider, string used, string unused);
}
