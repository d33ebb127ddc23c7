using Stout;

namespace SectionedDocuments.Hosting;

/// <summary>The service's own options, in the configuration's section <c>SectionedDocuments</c>.</summary>
internal sealed class ServiceOptions
{
    /// <summary>The longest section that a client may send, in bytes of UTF-8. 1 or more. Default: 1 MiB.</summary>
    public long MaxBodyBytes { get; set; } = 1 << 20;

    public void Validate()
    {
        if (MaxBodyBytes < 1)
            throw new InvalidOptionException("SectionedDocuments:MaxBodyBytes", MaxBodyBytes, "it must be 1 or more");
    }
}
