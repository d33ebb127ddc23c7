namespace Stout.AzureTables.Tests;

/// <summary>Bodies of the service's answers, written by hand from its documented formats and not recorded from an account.</summary>
internal static class ServiceAnswers
{
    public const string MultipartType = "multipart/mixed; boundary=batchresponse_a1e9d677-b28b-435e-a89e-87e6a768a431";

    public static string Error(string code, string message) =>
        $$$$"""{"odata.error":{"code":"{{{{code}}}}","message":{"lang":"en-US","value":"{{{{message}}}}\nRequestId:0b1c3ac6-0002-0012-3d3c-5a1b2c000000\nTime:2026-11-21T08:00:00.0000000Z"}}}""";

    /// <summary>An error in the form that the service uses before it reads the request's Accept header.</summary>
    public const string AuthenticationFailed = """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?><error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>AuthenticationFailed</code><message xml:lang="en-US">Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.</message></error>
        """;

    /// <summary>The answer to a transaction in which an operation failed.</summary>
    public static string ChangeSetError(string status, string error) => string.Join("\r\n",
        "--batchresponse_a1e9d677-b28b-435e-a89e-87e6a768a431",
        "Content-Type: multipart/mixed; boundary=changesetresponse_8a28b620-b4bb-458c-a177-0959fb14c977",
        "",
        "--changesetresponse_8a28b620-b4bb-458c-a177-0959fb14c977",
        "Content-Type: application/http",
        "Content-Transfer-Encoding: binary",
        "",
        $"HTTP/1.1 {status}",
        "X-Content-Type-Options: nosniff",
        "Cache-Control: no-cache",
        "Preference-Applied: return-no-content",
        "DataServiceVersion: 3.0;",
        "Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
        "",
        error,
        "--changesetresponse_8a28b620-b4bb-458c-a177-0959fb14c977--",
        "--batchresponse_a1e9d677-b28b-435e-a89e-87e6a768a431--",
        "");

    /// <summary>The answer to a transaction that was committed, with a number of operations.</summary>
    public static string ChangeSet(int operations) => string.Join("\r\n",
    [
        "--batchresponse_a1e9d677-b28b-435e-a89e-87e6a768a431",
        "Content-Type: multipart/mixed; boundary=changesetresponse_8a28b620-b4bb-458c-a177-0959fb14c977",
        "",
        .. Enumerable.Range(0, operations).SelectMany(i => (string[])[
            "--changesetresponse_8a28b620-b4bb-458c-a177-0959fb14c977",
            "Content-Type: application/http",
            "Content-Transfer-Encoding: binary",
            "",
            "HTTP/1.1 204 No Content",
            "X-Content-Type-Options: nosniff",
            "Cache-Control: no-cache",
            "Preference-Applied: return-no-content",
            "DataServiceVersion: 3.0;",
            $"ETag: W/\"datetime'2026-11-21T08%3A00%3A00.{i:D7}Z'\"",
            "",
            ""]),
        "--changesetresponse_8a28b620-b4bb-458c-a177-0959fb14c977--",
        "--batchresponse_a1e9d677-b28b-435e-a89e-87e6a768a431--",
        "",
    ]);
}
