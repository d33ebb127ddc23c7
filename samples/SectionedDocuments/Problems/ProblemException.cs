namespace SectionedDocuments.Problems;

/// <summary>Ends a request. The answer is a problem of the given type, with the exception's message as the detail.</summary>
internal sealed class ProblemException(ProblemType type, string detail, Exception? inner = null) : Exception(detail, inner)
{
    public ProblemType Type { get; } = type;
}
