using System.Text;
using System.Text.Json.Nodes;
using Stout.Director.Models;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Models;

public sealed class ModelFileTests
{
    [Fact]
    public void A_model_file_comes_back_as_it_was_written()
    {
        var text = Text(TrainedModels.SmallInstance);
        Assert.Equal(text, Text(Read(text)));
    }

    [Theory]
    [InlineData("version", "2", "version 2")]
    [InlineData("objective", "\"98 % of reads under 100 ms\"", "was trained for")]
    [InlineData("objective", "\"99 % of reads under 50 ms\"", "was trained for")]
    public void A_model_file_of_another_version_or_objective_is_refused(string property, string value, string expected)
    {
        var error = Assert.Throws<ModelException>(() => Read(With(json => json[property] = JsonNode.Parse(value)), ServiceObjective.Paper));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_model_file_of_another_server_type_is_refused() =>
        Assert.Contains("not large", Assert.Throws<ModelException>(() => Read(Text(TrainedModels.SmallInstance), type: "large")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("costOfGet", "0")]
    [InlineData("costOfGet", "-1")]
    [InlineData("costOfPut", "-0.1")]
    public void A_model_that_classifies_nothing_is_refused(string weight, string value)
    {
        var text = With(json => json["type"]!["steadyState"]![weight] = JsonNode.Parse(value));
        Assert.Contains("classifies nothing", Assert.Throws<ModelException>(() => Read(text)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("{\"version\":1")]
    public void A_damaged_file_is_refused(string text) => Assert.Throws<ModelException>(() => Read(text));

    private static string With(Action<JsonNode> change)
    {
        var json = JsonNode.Parse(Text(TrainedModels.SmallInstance))!;
        change(json);
        return json.ToJsonString();
    }

    private static string Text(ModelFile file)
    {
        using var stream = new MemoryStream();
        file.Write(stream);
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    private static ModelFile Read(string text, ServiceObjective? objective = null, string? type = null) =>
        ModelFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), objective, type);
}
