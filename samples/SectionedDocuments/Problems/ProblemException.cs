namespace SectionedDocuments.Problems;

/// <summary>The type and the reason of a problem with which the request is answered.</summary>
internal sealed class ProblemException(ProblemType type, string detail, Exception? inner = null) : Exception(detail, inner)
{
    public ProblemType Type { get; } = type;
}
