using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Primitives;

namespace Stout.Hosting;

/// <summary>
/// A section in which a setting <c>Name=orders</c> has the connection string <c>ConnectionStrings:orders</c> as its value. So the connection strings of an
/// application stand in one place, where other programs put them.
/// </summary>
internal sealed class NamedConnections(IConfigurationSection inner, IConfiguration root) : IConfigurationSection
{
    private const string Prefix = "Name=";

    /// <inheritdoc/>
    public string Key => inner.Key;

    /// <inheritdoc/>
    public string Path => inner.Path;

    /// <inheritdoc/>
    public string? Value
    {
        get => Resolve(inner.Value);
        set => inner.Value = value;
    }

    /// <inheritdoc/>
    public string? this[string key]
    {
        get => GetSection(key).Value;
        set => inner[key] = value;
    }

    /// <inheritdoc/>
    public IConfigurationSection GetSection(string key) => new NamedConnections(inner.GetSection(key), root);

    /// <inheritdoc/>
    public IEnumerable<IConfigurationSection> GetChildren() => inner.GetChildren().Select(child => new NamedConnections(child, root));

    /// <inheritdoc/>
    public IChangeToken GetReloadToken() => inner.GetReloadToken();

    private string? Resolve(string? text)
    {
        if (text?.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) is not true)
            return text;
        var name = text[Prefix.Length..].Trim();
        // A connection string may begin in the same way. As a name, it would be quoted in the error below, with its secrets.
        if (name.AsSpan().ContainsAny('=', ';'))
            return text;
        return root.GetConnectionString(name) is { Length: > 0 } found
            ? found
            : throw new InvalidOptionException(Path, $"it names the connection string '{name}', so the setting ConnectionStrings:{name} has to be set");
    }
}
