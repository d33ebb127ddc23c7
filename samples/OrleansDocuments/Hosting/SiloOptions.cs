using System.Net;
using System.Net.Sockets;
using Stout;

namespace OrleansDocuments.Hosting;

/// <summary>The silo's options, in the configuration's section <c>OrleansDocuments</c>.</summary>
public sealed class SiloOptions
{
    /// <summary>The address of the silo for other silos: an IP address, or a name that leads to one. Default: 127.0.0.1.</summary>
    public string Address { get; set; } = IPAddress.Loopback.ToString();

    /// <summary>The port for other silos. 0 to 65,535, where 0 means any free port. Default: 11111.</summary>
    public int SiloPort { get; set; } = 11111;

    /// <summary>Whether the store confirms the owner of a document before each answer that rests on memory. Default: false.</summary>
    public bool ConfirmReads { get; set; }

    /// <summary>The time within which a silo answers a probe of another one, and the time between probes. 100 ms to 1 min. Default: 1 s.</summary>
    public TimeSpan ProbeTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The number of missed probes after which a silo votes for the death of another one. 1 to 100. Default: 2.</summary>
    public int MissedProbes { get; set; } = 2;

    /// <summary>The number of votes that declare a silo dead. 1 to 10. Default: 2.</summary>
    public int DeathVotes { get; set; } = 2;

    /// <summary>
    /// The time between two writes by which a silo reports that it is alive. A silo that starts does not wait for silos that have missed three of these writes.
    /// 1 s to 10 min. Default: 5 s.
    /// </summary>
    public TimeSpan AlivePeriod { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The time within which a rejected call is repeated. 0 to 5 min. Default: 15 s.</summary>
    public TimeSpan LossPatience { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>The IP address of <see cref="Address"/>.</summary>
    /// <exception cref="InvalidOptionException">The name leads to no address.</exception>
    public IPAddress FindIp()
    {
        try
        {
            return Dns.GetHostAddresses(Address, AddressFamily.InterNetwork)[0];
        }
        catch (SocketException)
        {
            throw new InvalidOptionException("OrleansDocuments:" + nameof(Address), "it must be an IPv4 address, or a name that leads to one");
        }
    }

    public void Validate() => InvalidOptionException.Under("OrleansDocuments", () =>
    {
        InvalidOptionException.ThrowUnlessBetween(nameof(SiloPort), SiloPort, 0, ushort.MaxValue);
        InvalidOptionException.ThrowUnlessBetween(nameof(ProbeTimeout), ProbeTimeout, TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(1));
        InvalidOptionException.ThrowUnlessBetween(nameof(MissedProbes), MissedProbes, 1, 100);
        InvalidOptionException.ThrowUnlessBetween(nameof(DeathVotes), DeathVotes, 1, 10);
        InvalidOptionException.ThrowUnlessBetween(nameof(AlivePeriod), AlivePeriod, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(10));
        InvalidOptionException.ThrowUnlessBetween(nameof(LossPatience), LossPatience, TimeSpan.Zero, TimeSpan.FromMinutes(5));
    });
}
