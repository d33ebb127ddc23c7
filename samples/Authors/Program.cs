using System.CommandLine;
using Authors;
using Authors.Replay;

var histories = new Option<DirectoryInfo>("--histories")
{
    Description = "Folder of editing histories (*.json, *.json.gz)",
    DefaultValueFactory = _ => new DirectoryInfo(Path.Combine(AppContext.BaseDirectory, "histories")),
};
var url = new Option<Uri>("--url")
{
    Description = "Address of the service",
    DefaultValueFactory = _ => new Uri("http://127.0.0.1:5080"),
};
var speed = new Option<Pace>("--speed")
{
    Description = "Times the recorded speed, or max: each keystroke as soon as the last is acknowledged",
    HelpName = "10|max",
    CustomParser = result =>
    {
        try
        {
            return Pace.Parse(result.Tokens[0].Value);
        }
        catch (FormatException error)
        {
            result.AddError(error.Message);
            return default;
        }
    },
};
var keystrokes = new Option<int?>("--keystrokes") { Description = "Make at most so many keystrokes of each history" };
keystrokes.Validators.Add(result =>
{
    if (result.GetValueOrDefault<int?>() < 0)
        result.AddError("--keystrokes can't be negative.");
});
var verify = new Option<bool>("--verify") { Description = "Write nothing: only compare what the service has, after a restart, say" };
var patience = new Option<int>("--patience")
{
    Description = "Seconds for which a request is repeated that gets no answer, or 503",
    DefaultValueFactory = _ => 60,
};

var command = new RootCommand("Writes real documents again, keystroke by keystroke, each by an author of its own, on a running SectionedDocuments")
{
    histories, url, speed, keystrokes, verify, patience,
};
command.SetAction(async (arguments, cancellationToken) =>
{
    var options = new ReplayOptions(
        arguments.GetRequiredValue(histories),
        arguments.GetRequiredValue(url),
        arguments.GetValue(speed),
        arguments.GetValue(keystrokes),
        arguments.GetValue(verify),
        TimeSpan.FromSeconds(arguments.GetValue(patience)));
    try
    {
        return await Replayer.RunAsync(options, Console.Out, cancellationToken) ? 0 : 1;
    }
    catch (AuthorsException error)
    {
        await Console.Error.WriteLineAsync($"Authors: {error.Message}");
        return 2;
    }
    catch (OperationCanceledException)
    {
        await Console.Error.WriteLineAsync("Authors: stopped.");
        return 130;
    }
});
return await command.Parse(args).InvokeAsync();
