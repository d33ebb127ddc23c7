namespace SectionedDocuments.Problems;

/// <summary>A request that is answered with a problem, and why.</summary>
internal sealed class ProblemException(ProblemType type, string detail, Exception? inner = null) : Exception(detail, inner)
{
    public ProblemType Type { get; } = type;
}
