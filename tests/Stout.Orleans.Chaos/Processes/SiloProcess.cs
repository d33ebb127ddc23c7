using Stout.Orleans.Chaos.Protocol;
using Stout.Orleans.Chaos.Silos;
using Stout.Tests.Shared;

namespace Stout.Orleans.Chaos.Processes;

/// <summary>Starts this program as a silo in a process of its own, and sends requests to it.</summary>
internal sealed class SiloProcess(SiloSettings settings)
    : AskedProcess<SiloRequest, SiloAnswer>("Stout.Orleans.Chaos", [Argument], settings.ToEnvironment(), ProtocolJson.Default.SiloRequest, ProtocolJson.Default.SiloAnswer)
{
    /// <summary>The argument that makes the program a silo.</summary>
    public const string Argument = "silo";

    /// <summary>
    /// True only with the environment variable CHAOS_LOG. Silos that were declared dead end with a long message, which is no defect in a chaos run.
    /// </summary>
    protected override bool ShowsErrors => Environment.GetEnvironmentVariable("CHAOS_LOG") is not null;

    protected override SiloRequest Number(SiloRequest request, long id) => request with { Id = id };

    protected override long NumberOf(SiloAnswer answer) => answer.Id;

    protected override SiloAnswer NotRunning(long id) => new(id, Outcome.NotDone) { Error = "The silo was not running." };
}
