using Stout.Argon;

namespace Documentation.Examples;

/// <summary>The code of the page inside the package Stout.Argon.</summary>
public static class ArgonPage
{
    /// <param name="folder">A folder on the disk that the services share.</param>
    public static async Task<string> RunAsync(string folder)
    {
        #region argon
        await using var server = ArgonServer.Open(new ArgonOptions { Disks = [new() { Folder = folder }] });
        var reports = server.AddService("reports");
        var orders = server.AddService("orders", weight: 2);

        await using var table = await orders.CreateAsync("orders");
        table.Write(0, "42 apples"u8);
        await table.FlushAsync(); // On the disk now.

        var bytes = new byte[9];
        await using var view = await reports.OpenAsync("orders");
        await view.ReadAsync(0, bytes); // Charged to the reports.
        #endregion
        return $"{System.Text.Encoding.UTF8.GetString(bytes)} {orders.Report().Status}";
    }
}
