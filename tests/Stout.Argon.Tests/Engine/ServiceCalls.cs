namespace Stout.Argon.Tests.Engine;

/// <summary>The calls of a service, with the token of the present test.</summary>
internal static class ServiceCalls
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static Task<ArgonObject> Create(this ArgonService service, string name, int disk = 0) => service.CreateAsync(name, disk, Token).AsTask();

    public static Task<ArgonObject> Open(this ArgonService service, string name, int disk = 0) => service.OpenAsync(name, disk, Token).AsTask();

    public static Task Delete(this ArgonService service, string name, int disk = 0) => service.DeleteAsync(name, disk, Token).AsTask();

    public static Task<IReadOnlyList<string>> List(this ArgonService service, int disk = 0) => service.ListAsync(disk, Token).AsTask();
}
