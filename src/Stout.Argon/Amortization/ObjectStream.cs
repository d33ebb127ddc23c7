using Stout.Argon.Engine;

namespace Stout.Argon.Amortization;

/// <summary>
/// One service's sequential reads of one object. Each service of an object has its own count, so that two services that stream the object are two streams.
/// </summary>
internal sealed class ObjectStream(ServiceState service)
{
    /// <summary>The count of sequentially read blocks (the paper's run count, section 4.3).</summary>
    public ReadRun Run;

    /// <summary>The count of sequentially written blocks.</summary>
    public ReadRun Writes;

    public ServiceState Service { get; } = service;

    /// <summary>The <see cref="ServiceState.Epoch"/> in which the service last streamed the object; -1 before the first stream.</summary>
    public int Epoch { get; set; } = -1;

    /// <summary>The same for sequential writes.</summary>
    public int WriteEpoch { get; set; } = -1;
}
