using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>Commits one batch.</summary>
internal sealed class WriteJob(WriteBatch batch) : Job<WriterSession>
{
    protected override void Run(WriterSession context) => context.Write(batch);
}

/// <summary>Gives keys that exist under an older epoch their new owner's stamp.</summary>
internal sealed class ClaimJob(IReadOnlyList<KeyRead> claims) : Job<WriterSession>
{
    protected override void Run(WriterSession context) => context.Claim(claims);
}

/// <summary>Makes the writer look whether there is something to tidy up.</summary>
internal sealed class WakeJob : Job<WriterSession>
{
    protected override void Run(WriterSession context) => context.Wake();
}
