namespace Packages.Tests;

/// <summary>Projects outside the repository that use the packages as docs/getting-started.md says, word for word.</summary>
public sealed class GettingStartedTests(Workplace workplace)
{
    [Fact]
    public void No_block_of_the_page_is_passed_over() => Assert.Equal(workplace.Reader.Guide.CountBlocks, workplace.Reader.Guide.CountUnderstood);

    [Fact]
    public async Task A_console_program_keeps_its_note_from_run_to_run() => await workplace.Reader.FollowAsync("A console program");

    [Fact]
    public async Task A_web_service_answers_and_keeps_what_it_has_acknowledged_when_it_is_killed()
    {
        try
        {
            await workplace.Reader.FollowAsync("A web service");
        }
        finally
        {
            workplace.Reader.KillServices();
        }
    }
}
