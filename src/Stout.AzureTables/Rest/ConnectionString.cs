namespace Stout.AzureTables.Rest;

/// <summary>The settings of a storage connection string: <c>Name=value;Name=value</c>.</summary>
internal sealed class ConnectionString
{
    private readonly Dictionary<string, string> _settings = new(StringComparer.OrdinalIgnoreCase);

    /// <exception cref="InvalidOptionException">A setting has no name.</exception>
    public ConnectionString(string text)
    {
        foreach (var setting in (text ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            // A key ends in equals signs of its own.
            var equals = setting.IndexOf('=', StringComparison.Ordinal);
            if (equals < 1)
                throw TableAccount.Invalid("it has to be a connection string, or the address of a table service");
            _settings[setting[..equals]] = setting[(equals + 1)..];
        }
    }

    /// <summary>A setting's value, or null.</summary>
    public string? this[string name] => _settings.GetValueOrDefault(name);
}
