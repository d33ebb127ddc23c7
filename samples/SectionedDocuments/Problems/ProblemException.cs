namespace SectionedDocuments.Problems;

/// <summary>The client's fault, found before anything was changed.</summary>
internal sealed class BadRequestException(ProblemType type, string detail) : Exception(detail)
{
    public ProblemType Type { get; } = type;
}
