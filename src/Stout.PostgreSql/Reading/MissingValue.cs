namespace Stout.PostgreSql.Reading;

/// <summary>A value that an answer omitted, since the answer would have been too large.</summary>
/// <param name="Bytes">The sub-key's bytes; null for the object's own value.</param>
/// <param name="Part">The sub-key.</param>
/// <param name="Size">The value's length in bytes.</param>
internal readonly record struct MissingValue(byte[]? Bytes, SubKey Part, int Size);
