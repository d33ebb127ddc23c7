namespace Stout.Storage;

/// <summary>
/// Rules by which proxies classify errors of connecting. Clients wrap such errors, for instance those of several hosts or attempts in an
/// <see cref="AggregateException"/>, and the wrapper says nothing about them.
/// </summary>
public static class ConnectErrors
{
    /// <summary>Combines the errors of connecting to several hosts, before the request was sent.</summary>
    /// <param name="errors">One error for each host.</param>
    /// <param name="classify">Classifies the error of one host.</param>
    /// <returns>
    /// The first error if every host refuses, so that another attempt would fail as well; also if all kinds are the same. In all other cases, also
    /// without any error, <see cref="StoreErrorKind.Unreachable"/>.
    /// </returns>
    public static StoreException Combine(AggregateException errors, Func<Exception, StoreException> classify)
    {
        ArgumentNullException.ThrowIfNull(errors);
        ArgumentNullException.ThrowIfNull(classify);
        List<StoreException> hosts = [.. errors.InnerExceptions.Select(classify)];
        return hosts.Count > 0 && (hosts.TrueForAll(IsPermanent) || hosts.TrueForAll(host => host.Kind == hosts[0].Kind))
            ? hosts[0]
            : new StoreException(StoreErrorKind.Unreachable, "No host can be reached and used.", errors);
    }

    /// <summary>
    /// Whether an HTTP request failed before its connection existed, so that it was certainly not sent. The outermost error of the transport decides, since
    /// an error of an open connection can have any cause. Of several attempts, each must have failed so.
    /// </summary>
    /// <param name="error">The error, perhaps in wrappers of the store's client.</param>
    public static bool PrecedesRequest(Exception? error) => error switch
    {
        null or IOException => false,
        AggregateException attempts => attempts.InnerExceptions.Count > 0 && attempts.InnerExceptions.All(PrecedesRequest),
        HttpRequestException { HttpRequestError: var reason } => reason is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError
            or HttpRequestError.SecureConnectionError or HttpRequestError.ProxyTunnelError,
        _ => PrecedesRequest(error.InnerException),
    };

    private static bool IsPermanent(StoreException error) => error.Kind is StoreErrorKind.Refused or StoreErrorKind.LayoutMismatch;
}
