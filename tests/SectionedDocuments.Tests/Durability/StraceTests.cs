using System.Text;

namespace SectionedDocuments.Tests.Durability;

/// <summary>Tests of <see cref="AcknowledgementCheck"/>, by traces that are written by hand, each with one error.</summary>
public sealed class StraceTests
{
    private const string Marker = "<m>";
    private const byte PageBytes = 48;
    private static readonly string Request = Line(1, $"recvmsg(9<{Hex("socket:[7]")}>, {{msg_iov=[{{iov_base=\"{Hex(Marker)}\", iov_len=99}}]}}, 0) = 3");
    private static readonly string LogHeader = Write(0, Numbers(32, at: 11, PageBytes));
    private static readonly string Header = Write(32, Frame(0));
    private static readonly string CommitHeader = Write(32, Frame(8));
    private static readonly string Page = Write(56, Hex($"a page with {Marker} on it, and more".PadRight(PageBytes)));
    private static readonly string LaterCommit = Write(32 + 24 + PageBytes, Frame(8));
    private static readonly string LaterPage = Write(56 + 24 + PageBytes, Hex("a page with something else on it".PadRight(PageBytes)));
    private static readonly string Together = Write(
        32, Frame(0) + Hex($"a page with {Marker} on it".PadRight(PageBytes)) + Frame(8) + Hex("a page with something else on it".PadRight(PageBytes)));
    private static readonly string Sync = Line(2, $"fdatasync(5<{Hex("/d.db-wal")}>) = 0");
    private static readonly string SyncBegins = Line(3, $"fdatasync(5<{Hex("/d.db-wal")}> <unfinished ...>");
    private static readonly string SyncEnds = Line(3, "<... fdatasync resumed>) = 0");
    private static readonly string SyncFails = Line(2, $"fdatasync(5<{Hex("/d.db-wal")}>) = -1 EIO (Input/output error)");
    private static readonly string OtherSync = Line(2, $"fdatasync(6<{Hex("/d.db")}>) = 0");
    private static readonly string Answer = Line(1, $"sendmsg(9<{Hex("socket:[7]")}>, {{msg_iov=[{{iov_base=\"{Hex("HTTP/1.1 204 No Content")}\", iov_len=23}}]}}, 0) = 23");
    private static readonly string OtherAnswer = Answer.Replace(Hex("socket:[7]"), Hex("socket:[8]"), StringComparison.Ordinal);

    [Fact]
    public void An_answer_after_the_sync_is_in_order() => Assert.Empty(Check(Request, CommitHeader, Page, Sync, Answer));

    [Fact]
    public void The_commit_may_follow_in_a_later_frame() => Assert.Empty(Check(Request, Header, Page, LaterCommit, LaterPage, Sync, Answer));

    [Fact]
    public void One_write_may_have_several_frames() => Assert.Empty(Check(Request, Together, Sync, Answer));

    [Fact]
    public void An_answer_before_the_sync_of_several_frames_is_found() => Finds("synced", Request, Together, Answer, Sync);

    [Fact]
    public void A_commit_without_its_page_does_not_count() => Finds("its transaction", Request, Header, Page, LaterCommit, Sync, Answer);

    [Fact]
    public void A_sync_that_returns_before_the_answer_is_in_order() =>
        Assert.Empty(Check(Request, CommitHeader, Page, SyncBegins, OtherAnswer, SyncEnds, Answer));

    [Fact]
    public void An_answer_before_the_sync_is_found() => Finds("synced", Request, CommitHeader, Page, Answer, Sync);

    [Fact]
    public void An_answer_while_the_sync_is_under_way_is_found() => Finds("synced", Request, CommitHeader, Page, SyncBegins, Answer, SyncEnds);

    [Fact]
    public void A_sync_that_began_before_the_commit_does_not_count() =>
        Finds("synced", Request, SyncBegins, CommitHeader, Page, SyncEnds, Answer);

    [Fact]
    public void A_sync_that_failed_does_not_count() => Finds("synced", Request, CommitHeader, Page, SyncFails, Answer);

    [Fact]
    public void A_sync_of_another_file_does_not_count() => Finds("synced", Request, CommitHeader, Page, OtherSync, Answer);

    [Fact]
    public void A_transaction_without_its_commit_does_not_count() => Finds("its transaction", Request, Header, Page, Sync, Answer);

    [Fact]
    public void An_answer_before_the_write_is_found() => Finds("was written", Request, Answer, CommitHeader, Page, Sync);

    [Fact]
    public void A_request_without_an_answer_is_found() => Finds("not in the trace", Request, CommitHeader, Page, Sync, OtherAnswer);

    private static void Finds(string fault, params string[] lines) => Assert.Contains(fault, Assert.Single(Check(lines)), StringComparison.Ordinal);

    private static IReadOnlyList<string> Check(params string[] lines) => AcknowledgementCheck.FindEarly(Strace.Parse([LogHeader, .. lines]), [Marker]);

    private static string Line(int thread, string call) => $"{thread} 12:00:00.000001 {call}";

    private static string Hex(string text) => string.Concat(Encoding.ASCII.GetBytes(text).Select(b => $"\\x{b:x2}"));

    private static string Frame(byte databasePages) => Numbers(24, at: 7, databasePages);

    /// <summary>Bytes in strace's hex form; all but one are 0.</summary>
    private static string Numbers(int count, int at, byte value) => string.Concat(Enumerable.Range(0, count).Select(i => $"\\x{(i == at ? value : 0):x2}"));

    private static string Write(long place, string bytes) =>
        Line(2, $"pwrite64(5<{Hex("/d.db-wal")}>, \"{bytes}\", {bytes.Length / 4}, {place}) = {bytes.Length / 4}");
}
