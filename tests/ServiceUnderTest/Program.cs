using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using SectionedDocuments;
using ServiceUnderTest;
using Stout.Sqlite;
using Stout.Tests.Shared;

// The unchanged sample on a store that a test can watch and disturb. Settings in addition to the sample's:
//   Test:Counters=FILE         counts write requests in the file (see BatchCounters)
//   Test:SynchronousOff=true   plants a database that acknowledges writes before they are on the disk
//   Test:AnswerEarly=true      plants a store that acknowledges writes before it makes them
//   Test:Slots=N               serves N requests at once, each for Test:SlotMilliseconds=TIME (see Slots)
//   Test:EndsWithInput=true    ends the service with its standard input, and so with the process that started it
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
    if (Slots.Of(builder.Configuration) is { } slots)
        builder.Services.AddSingleton<IStartupFilter>(slots);
    builder.Services.AddHostedService<StandardInput>();
});
