using System.CommandLine.Parsing;

namespace Authors;

/// <summary>Reads the values of options, and reports in one line each value that can't be read.</summary>
internal static class Arguments
{
    /// <summary>Parses an option's value; a <see cref="FormatException"/> becomes the option's error.</summary>
    public static T? Parse<T>(ArgumentResult argument, Func<string, T> parse)
    {
        try
        {
            return parse(argument.Tokens[0].Value);
        }
        catch (FormatException error)
        {
            argument.AddError(error.Message);
            return default;
        }
    }

    public static int ParseCount(string text) => ParseCount(text, 0, int.MaxValue);

    public static int ParseCount(string text, int least, int most) =>
        int.TryParse(text, out var count) && count >= least && count <= most
            ? count
            : throw new FormatException($"\"{text}\" is not a whole number from {least} {(most == int.MaxValue ? "on" : $"to {most:N0}")}.");
}
