namespace Stout.SqlServer.Client;

/// <summary>What the server has answered: a result, or an error that one key of the request alone may have caused.</summary>
/// <param name="Result">The result, without trouble.</param>
/// <param name="Trouble">The error, or null.</param>
internal readonly record struct Answer<TResult>(TResult Result, KeyTrouble? Trouble);
