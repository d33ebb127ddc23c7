namespace Stout.Director.Layouts;

/// <summary>Checks that an observation is consistent and matches the Director's settings.</summary>
internal static class ObservationChecks
{
    /// <exception cref="ObservationException">The observation can't be used.</exception>
    public static void Check(ClusterObservation observation, DirectorSettings settings)
    {
        if (observation.Layout.Bins != settings.Bins || observation.BinBytes.Count != settings.Bins)
            throw new ObservationException($"The layout has {observation.Layout.Bins} bins and {observation.BinBytes.Count} sizes; the Director is set up for {settings.Bins}.");
        if (observation.BinBytes.Any(bytes => bytes < 0))
            throw new ObservationException("A bin's size is below 0.");
        if (observation.Servers.Any(server => server.LeaseAge < TimeSpan.Zero) || observation.Reports.Any(report => report.Age < TimeSpan.Zero))
            throw new ObservationException("The age of a lease or of a report is below 0.");
        if (observation.Servers.DistinctBy(server => server.Id).Count() != observation.Servers.Count)
            throw new ObservationException("Two servers have the same number.");
        if (!observation.Servers.Any(server => server.Phase == ServerPhase.Live))
            throw new ObservationException("The cluster has no live server: the Director needs at least one.");
        var unknown = observation.Servers.FirstOrDefault(server => settings.Types.All(type => type.Name != server.Type));
        if (unknown is not null)
            throw new ObservationException($"Server {unknown.Id} has type {unknown.Type}; known are {string.Join(", ", settings.Types.Select(type => type.Name))}.");
    }
}
