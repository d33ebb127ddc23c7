namespace Stout.Orleans.Tests.Grains;

/// <summary>A state that is changed in place.</summary>
public sealed class Cart
{
    public List<string> Items { get; set; } = [];
}
