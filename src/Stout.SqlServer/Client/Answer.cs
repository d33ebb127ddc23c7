namespace Stout.SqlServer.Client;

/// <summary>The server's answer: a result, or an error that one key of the request alone may have caused.</summary>
/// <param name="Result">The result, if there was no error.</param>
/// <param name="Trouble">The error, or null.</param>
internal readonly record struct Answer<TResult>(TResult Result, KeyTrouble? Trouble);
