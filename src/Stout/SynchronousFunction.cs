using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Stout;

/// <summary>
/// The rule that a function which reads or changes an object is synchronous. The optional parameters of this type distinguish the overloads that report
/// asynchronous functions at compile time. There are no instances.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SynchronousFunction
{
    /// <summary>The error's text, of the compiler and of <see cref="Require{TResult}"/>.</summary>
    public const string Message =
        "The function must not be asynchronous: changes after its first await would be lost. Await before the call, and change the object in a synchronous function.";

    /// <summary>The compiler's error for a callback of a message.</summary>
    public const string CallbackMessage = "The callback must not be asynchronous: its exceptions would end the process. Await WhenSafeAsync instead.";

    private SynchronousFunction()
    {
    }

    /// <summary>Throws if a function with this result is asynchronous. Only this check finds generic code and functions that return a value task.</summary>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="parameter">The name of the function's parameter.</param>
    /// <exception cref="ArgumentException">The result is a task, a value task or an asynchronous sequence.</exception>
    public static void Require<TResult>(string parameter)
    {
        if (ResultOf<TResult>.IsAsynchronous)
            throw new ArgumentException(Message, parameter);
    }

    /// <summary>
    /// Whether a function is asynchronous. The check needs the compiler's attribute. In a program that is compiled ahead of time, it returns false.
    /// </summary>
    /// <param name="function">The function; null is not asynchronous.</param>
    public static bool IsAsynchronous(Delegate? function) =>
        function is not null && RuntimeFeature.IsDynamicCodeSupported && function.Method.IsDefined(typeof(AsyncStateMachineAttribute), inherit: false);

    /// <summary>
    /// Throws if a function that sets options is <c>async void</c>, by <see cref="IsAsynchronous"/>: statements after its first await would run too late.
    /// </summary>
    /// <param name="function">The function; null is accepted.</param>
    /// <param name="parameter">The name of the function's parameter.</param>
    /// <exception cref="ArgumentException">The function is asynchronous.</exception>
    public static void Require(Delegate? function, string parameter)
    {
        if (IsAsynchronous(function))
            throw new ArgumentException("The function must not be asynchronous: statements after its first await would run too late. Await before the call.", parameter);
    }

    private static class ResultOf<T>
    {
        public static readonly bool IsAsynchronous = typeof(Task).IsAssignableFrom(typeof(T)) || typeof(T) == typeof(ValueTask)
            || (typeof(T).IsGenericType && typeof(T).GetGenericTypeDefinition() is var type && (type == typeof(ValueTask<>) || type == typeof(IAsyncEnumerable<>)));
    }
}
