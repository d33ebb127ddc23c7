using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using SectionedDocuments;
using ServiceUnderTest;
using Stout.Sqlite;
using Stout.Tests.Shared;

// The sample, unchanged, on a store that a test can watch and disturb. Settings, besides the sample's own:
//   Test:Counters=FILE         counts write requests there (see BatchCounters)
//   Test:SynchronousOff=true   plants a database that acknowledges what the disk does not have
//   Test:AnswerEarly=true      plants a store that acknowledges before it writes
// Lines on standard input set the store's mood (see Mood), or end the service.
return await SectionedDocumentsApp.RunAsync(args, (builder, stout) =>
{
    var mood = new MoodSwitch();
    var counters = builder.Configuration["Test:Counters"] is { Length: > 0 } file ? new BatchCounters(file) : null;
    var answerEarly = builder.Configuration["Test:AnswerEarly"] == "true";
    if (builder.Configuration["Test:SynchronousOff"] == "true")
        builder.Services.PostConfigureAll<SqliteOptions>(sqlite => sqlite.UnsafeSynchronousOff = true);
    stout.WrapStore((_, store) => new WrappedStorage(store, partition => new WatchedPartition(
        answerEarly ? new EarlyAnsweringPartition(partition) : partition, mood, counters)));
    builder.Services.AddSingleton(mood);
    builder.Services.AddHostedService<StandardInput>();
});
