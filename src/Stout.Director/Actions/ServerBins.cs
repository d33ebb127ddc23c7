using Stout.Director.Layouts;

namespace Stout.Director.Actions;

/// <summary>The bins of each server in a layout. <see cref="Update"/> lists the bins anew only if the layout has changed.</summary>
internal sealed class ServerBins
{
    private readonly Dictionary<int, List<int>> _bins = [];
    private Layout? _layout;

    public void Update(Layout layout)
    {
        if (ReferenceEquals(layout, _layout))
            return;
        _layout = layout;
        foreach (var bins in _bins.Values)
            bins.Clear();
        for (var bin = 0; bin < layout.Bins; bin++)
        {
            foreach (var server in layout.Replicas(bin))
            {
                if (!_bins.TryGetValue(server, out var bins))
                    _bins[server] = bins = [];
                bins.Add(bin);
            }
        }
    }

    public IReadOnlyList<int> Of(int server) => _bins.TryGetValue(server, out var bins) ? bins : [];
}
